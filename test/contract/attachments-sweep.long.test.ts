import './attachments-sweep.test.ts';

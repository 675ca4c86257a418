import './attachments-records.test.ts';

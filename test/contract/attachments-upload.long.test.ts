import './attachments-upload.test.ts';

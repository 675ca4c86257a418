import './manage-restore.test.ts';

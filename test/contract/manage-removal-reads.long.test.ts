import './manage-removal-reads.test.ts';

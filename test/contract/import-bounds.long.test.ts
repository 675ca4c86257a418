import './import-bounds.test.ts';

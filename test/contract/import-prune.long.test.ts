import './import-prune.test.ts';

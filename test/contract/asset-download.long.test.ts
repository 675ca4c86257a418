import './asset-download.test.ts';

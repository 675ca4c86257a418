import './apply-change.test.ts';

import './collections-compact.test.ts';

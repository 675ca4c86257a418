import './statuses.test.ts';

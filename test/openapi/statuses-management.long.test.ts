import './statuses-management.test.ts';

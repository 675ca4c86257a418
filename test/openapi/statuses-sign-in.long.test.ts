import './statuses-sign-in.test.ts';

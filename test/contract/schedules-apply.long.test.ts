import './schedules-apply.test.ts';

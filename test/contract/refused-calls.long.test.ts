import './refused-calls.test.ts';

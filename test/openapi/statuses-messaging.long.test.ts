import './statuses-messaging.test.ts';

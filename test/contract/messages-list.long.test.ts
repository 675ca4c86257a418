import './messages-list.test.ts';

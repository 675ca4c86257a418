import './lost-replies.test.ts';

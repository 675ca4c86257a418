import './ai-reply-stream-customers.test.ts';

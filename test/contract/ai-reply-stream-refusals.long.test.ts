import './ai-reply-stream-refusals.test.ts';

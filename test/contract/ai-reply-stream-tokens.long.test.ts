import './ai-reply-stream-tokens.test.ts';

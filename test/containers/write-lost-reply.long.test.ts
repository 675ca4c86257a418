import './write-lost-reply.test.ts';

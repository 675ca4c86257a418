import './ai-engine-offline-questions.test.ts';

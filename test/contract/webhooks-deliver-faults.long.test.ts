import './webhooks-deliver-faults.test.ts';

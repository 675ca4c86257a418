import './form-submit-idempotency.test.ts';

import './form-submit-validations.test.ts';

import './cms-entry-update-body.test.ts';

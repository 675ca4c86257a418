import './cms-entries-list-size.test.ts';

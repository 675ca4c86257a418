import './cms-entries-list-paging.test.ts';

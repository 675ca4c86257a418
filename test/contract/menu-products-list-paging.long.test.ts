import './menu-products-list-paging.test.ts';

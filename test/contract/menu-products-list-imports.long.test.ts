import './menu-products-list-imports.test.ts';

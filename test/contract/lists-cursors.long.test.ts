import './lists-cursors.test.ts';

import './full-settings.test.ts';

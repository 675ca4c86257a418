import './image-file.test.ts';

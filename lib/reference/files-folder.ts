import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Where the files of the renderer lie. The bundler copies them to its function and puts that folder here. */
export const filesFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

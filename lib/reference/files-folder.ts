import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The folder of Swagger UI's files. In bundles it is the function's own folder, to which they are copied. */
export const filesFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

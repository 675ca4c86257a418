import { openApiDocument } from './document.ts';

/**
 * The document as text. The bundler puts the finished text in the place of this module, so that a function neither
 * makes it nor carries what makes it.
 */
export const documentText: string = JSON.stringify(await openApiDocument());

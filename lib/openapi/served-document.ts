import { openApiDocument } from './document.ts';

/**
 * The document as text. The bundler replaces this module by the finished text, so the function contains no code that
 * builds it.
 */
export const documentText: string = JSON.stringify(await openApiDocument());

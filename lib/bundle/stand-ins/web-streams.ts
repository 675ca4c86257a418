/**
 * What bundles have in the place of that which packages ask about and make of the streams of browsers, by its names
 * there: no function has one, and the mere question makes Node load them.
 */
export const isReadableStream = (): boolean => false;
export const isBlob = (): boolean => false;

export const createChecksumStream = (): never => {
  throw new Error('A function has no streams of browsers.');
};

export class ReadableStream {}

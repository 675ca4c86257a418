/** Replaces checks for web streams: functions use none, and the check alone makes Node load their implementation. */
export const isReadableStream = (): boolean => false;
export const isBlob = (): boolean => false;

export const createChecksumStream = (): never => {
  throw new Error('Web streams are not available in this function.');
};

export class ReadableStream {}

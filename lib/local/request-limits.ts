import type { IncomingMessage } from 'node:http';
import { eventUploadBytesMax, uploadBytesMax } from '../domain/files/upload-limits.ts';

const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;

/** Limits of the front. It keeps one byte more of a body than allowed, so that the function can refuse the body. */
export interface RequestLimits {
  /** Request line and headers. */
  readonly headBytesMax: number;
  readonly bodyBytesMax: number;
  /** The body of a route that writes files. */
  readonly uploadBytesMax: number;
  /** Limits of the platform, before and after the function runs. */
  readonly platform?: { readonly payloadBytesMax: number; readonly eventBytesMax: number };
}

/** `ours` are the limits of the service; `aws` adds those of API Gateway and Lambda. */
export const requestLimits = {
  ours: { headBytesMax: 64 * kilobyte, bodyBytesMax: megabyte, uploadBytesMax },
  aws: {
    headBytesMax: 10 * kilobyte,
    bodyBytesMax: 10 * megabyte,
    // CloudFront refuses a longer body by its length, with the function's message.
    uploadBytesMax: eventUploadBytesMax,
    platform: { payloadBytesMax: 10 * megabyte, eventBytesMax: 6 * megabyte },
  },
} as const satisfies Record<string, RequestLimits>;

/** The size of request line and headers as sent. */
export function headBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const line = `${method} ${url} HTTP/${httpVersion}\r\n\r\n`.length;
  // A name and its value are followed by two characters each: ': ' and a line end.
  return rawHeaders.reduce((bytes, text) => bytes + text.length + 2, line);
}

import type { ObjectStore } from './object-store.ts';
import type { S3Request } from './s3-request.ts';
import type { Uploads } from './uploads.ts';

/** Context of the operations. */
export interface Store {
  readonly bucket: string;
  readonly objects: ObjectStore;
  readonly uploads: Uploads;
}

export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An XML document, or the bytes of an object. */
  readonly body?: string | AsyncIterable<Buffer>;
}

export type Operation = (store: Store, request: S3Request) => S3Answer | Promise<S3Answer>;

import type { Blob } from './blobs.ts';

/** A stored object with its metadata. */
export interface StoredObject {
  readonly key: string;
  /** With its quotes. */
  readonly etag: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** The content type, if the request had one. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes, in order. */
  readonly blobs: readonly Blob[];
}

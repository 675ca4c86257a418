import type { Blob } from './blobs.ts';

/** A stored object with its metadata. */
export interface StoredObject {
  readonly key: string;
  /** With its quotes. */
  readonly etag: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Content type, content disposition and the like, and the user's own metadata. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes, one behind the other. */
  readonly blobs: readonly Blob[];
}

import type { Entry } from './types.ts';

/** The CMS databases of a workspace and their entries; `npm run workspace -- types` prints the types of a workspace. */
export type Databases = { readonly [modelId: string]: Entry };

export interface EntryPage<Of> {
  readonly entries: readonly Of[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  /** The expansion depth of relations. */
  readonly maxDepth: number;
}

/** An entry with the version for `ifMatch`. */
export interface Versioned<Of> {
  readonly entry: Of;
  readonly etag: string;
}

/** A file to upload. */
export interface NewFile {
  readonly name: string;
  /** The media type. @default that of the data, or application/octet-stream */
  readonly type?: string;
  readonly data: Blob | Uint8Array<ArrayBuffer>;
}

import type { Entry } from './types.ts';

/** The CMS databases of a workspace and their entries; `npm run -s workspace -- types` prints the types of a workspace. */
export type Databases = { readonly [modelId: string]: Entry };

export interface EntryPage<Of> {
  readonly entries: readonly Of[];
  readonly total: number;
  readonly limit: number;
  /** Absent on pages by `cursor`. */
  readonly offset: number | undefined;
  /** The `cursor` of the next page; absent on the last one. */
  readonly nextCursor: string | undefined;
  readonly hasMore: boolean;
  /** The expansion depth of relations. */
  readonly maxDepth: number;
}

/** An answer in one language: each localized object becomes a string or null. */
export type InLocale<Of> = Of extends readonly (infer Item)[]
  ? InLocale<Item>[]
  : Of extends object
    ? string extends keyof Of
      ? Of[keyof Of] extends string
        ? string | null
        : Of
      : { [Name in keyof Of]: InLocale<Of[Name]> }
    : Of;

/** The answer of a call, depending on the parameter `locale`. */
export type Localizable<Of, Parameters> = Parameters extends { readonly locale: infer Locale extends string }
  ? Locale extends '*'
    ? Of
    : InLocale<Of>
  : Of;

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

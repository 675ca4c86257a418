import type * as z from 'zod/mini';
import { declaredKinds } from './declared-kinds.ts';
import type { KindDeclaration, Managed } from './define-kind.ts';

export type Kind = keyof typeof declaredKinds;

export type DeclarationOf<K extends Kind> = (typeof declaredKinds)[K];

type KindWith<Part> = { [K in Kind]: DeclarationOf<K> extends Part ? K : never }[Kind];

/** The kinds with management endpoints. */
export type ManagedKind = KindWith<{ readonly managed: Managed }>;

/** The kinds with a unique member besides the id: a slug, an object key, a channel's name or a member's address. */
export type UniqueKind = KindWith<{ readonly unique: string }>;

export type DocumentKind = KindWith<{ readonly documentPath: object }>;

/** A record as the import writes it, with its id and all defaults. Missing time stamps are undefined. */
export type ParsedRecord = {
  [K in DocumentKind]: { readonly kind: K; readonly record: z.output<(typeof declaredKinds)[K]['schema']> };
}[DocumentKind];

export const kinds = Object.keys(declaredKinds) as Kind[];

/** The declaration of a kind, without literal types. */
export const kindOf = (kind: Kind): KindDeclaration => declaredKinds[kind];

const isInDocuments = (kind: Kind): kind is DocumentKind => kindOf(kind).documentPath !== undefined;

export const documentKinds = kinds.filter(isInDocuments);

export const isDocumentKind = (text: unknown): text is DocumentKind => isKind(text) && isInDocuments(text);

/** The path of the records of a kind in a `.json` document. */
export const documentPathOf = (kind: DocumentKind): readonly [string, string?] => kindOf(kind).documentPath ?? [''];

export const isKind = (text: unknown): text is Kind => typeof text === 'string' && Object.hasOwn(declaredKinds, text);

/** The endpoints of a kind, without literal types. */
export const managed = (kind: ManagedKind): Managed => declaredKinds[kind].managed;

export const managedKinds = kinds.filter((kind): kind is ManagedKind => kindOf(kind).managed !== undefined);

/** The kinds that `manage-list` and `manage-get` serve. */
export const sharedKinds = managedKinds.filter((kind) => managed(kind).hasOwnFunctions !== true);

const paths: ReadonlyMap<string, ManagedKind> = new Map(managedKinds.map((kind) => [managed(kind).path, kind]));

export const historyKinds = managedKinds.filter((kind) => managed(kind).hasHistory);

/** The kinds that a bulk request may change. */
export const bulkKinds = sharedKinds.filter((kind) => !managed(kind).issued);

/** The kind with this path in addresses. */
export const managedKindAt = (path: string): ManagedKind | undefined => paths.get(path);

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { memberAddress } from '#lib/domain/access/member.ts';
import { type Issue, isObject, type JsonObject, textOf } from '#lib/domain/input.ts';
import type { MenuCategory, MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { categoryRow, categoryTuple, productRow, productTuple } from '#lib/domain/menu/menu-row.ts';
import { channelName } from '#lib/domain/messaging/channel.ts';
import { recordSizeIssues } from '#lib/domain/record-size.ts';
import { parseStorable } from '#lib/domain/schema-rules.ts';
import { recordBytesMax, storedBytes } from '#lib/domain/stored-size.ts';
import { canonicalJson } from '#lib/domain/text/json-hash.ts';
import { jsonIssues } from '#lib/domain/text/json-value.ts';
import { normalized } from '#lib/domain/text/normal-form.ts';
import type { KindDeclaration } from '#lib/kinds/define-kind.ts';
import type { Kind } from '#lib/kinds/kinds.ts';
import { parseValues } from './entry-values.ts';
import { inSpelling } from './in-languages.ts';
import type { RecordLookup, UncheckedRecord } from './record-lookup.ts';

/** A record as the import writes it, or undefined when it is malformed. */
interface Parsed {
  readonly record: JsonObject | undefined;
  /** Those by newer rules are marked. With these alone, there is a record. */
  readonly issues: Issue[];
  /** The issues that do not keep an export from being imported. */
  readonly warnings: Issue[];
  /** The record must not be traversed further, because recursion would overflow the stack. */
  readonly isTooDeep?: boolean;
}

/** Parses one record by its schema, and an entry also by its model (lib/spec/workspace-document.md section 2). */
export async function parseRecord(
  { kind, rules, record: submitted }: UncheckedRecord,
  lookup: RecordLookup,
): Promise<Parsed> {
  if (!isObject(submitted))
    return { record: undefined, issues: [{ path: '', code: 'type', message: 'Must be an object.' }], warnings: [] };
  const unsafe = jsonIssues(kind === 'cmsEntry' ? { ...submitted, values: null } : submitted, nestingLevelsMax);
  if (unsafe.some(({ code }) => code === 'too_large'))
    return { record: undefined, issues: unsafe, warnings: [], isTooDeep: true };
  const input = inSpelling(rules, submitted, lookup.languages ?? []);
  const shaped = parseStorable(rules.schema, withId(kind, input));
  const valued =
    kind === 'cmsEntry' ? await parseEntry(input, shaped.value as JsonObject | undefined, lookup) : undefined;
  const issues = [...unsafe, ...shaped.issues, ...(valued?.issues ?? [])];
  const warnings = valued?.warnings ?? [];
  const record = valued ? valued.record : (shaped.value as JsonObject | undefined);
  if (!record) return { record, issues, warnings };
  const ordered = inSchemaOrder(rules, record);
  return { record: ordered, issues: [...issues, ...sizeIssues(kind, ordered)], warnings };
}

/** Checks the values even if the entry has other failures, so that all of them are reported together. */
async function parseEntry(input: JsonObject, shaped: JsonObject | undefined, lookup: RecordLookup): Promise<Parsed> {
  const { languages, isExport = false, isPatch = false, stored } = lookup;
  const values = input['values'] ?? {};
  const model = typeof input['modelId'] === 'string' ? await lookup.model(input['modelId']) : undefined;
  if (!model || !languages || !isObject(values)) return { record: shaped, issues: [], warnings: [] };
  const storedValues = stored?.['values'];
  const isUnchanged = (key: string, value: unknown) =>
    isObject(storedValues) && isDeepStrictEqual(value, storedValues[key] ?? null);
  const mayStay = (key: string, value: unknown) => isExport || (isPatch && isUnchanged(key, value));
  const parsed = parseValues(values, model, { languages, mayStay });
  return { ...parsed, record: shaped && { ...shaped, values: parsed.values } };
}

/** An index row contains a name twice: unchanged and folded. Folding may lengthen a character eleven times. */
const growthMax = 13;

/** An issue if the record or its index row exceeds the maximum size of an item (lib/spec/decisions.md section 1). */
function sizeIssues(kind: Kind, record: JsonObject): Issue[] {
  // Entries are stored as attributes, all other kinds as JSON text.
  const bytes = kind === 'cmsEntry' ? storedBytes(record) : Buffer.byteLength(JSON.stringify(record));
  if (bytes > recordBytesMax) return recordSizeIssues(bytes);
  const row = bytes * growthMax > recordBytesMax ? rowOf(kind, record) : undefined;
  const rowBytes = row === undefined ? 0 : Buffer.byteLength(JSON.stringify(row));
  if (rowBytes <= recordBytesMax) return [];
  const message = `Must be shorter: for lists it is stored folded, too, which takes ${kilobytes(rowBytes)} KB of at most 350.`;
  return [{ path: 'name', code: 'too_large', message }];
}

/** The row of a record in the menu index. */
function rowOf(kind: Kind, record: JsonObject): readonly unknown[] | undefined {
  if (kind === 'menuProduct') return productTuple(productRow(record as unknown as MenuProduct, ''));
  return kind === 'menuCategory' ? categoryTuple(categoryRow(record as unknown as MenuCategory, '')) : undefined;
}

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1_024);

/** Deeper records are rejected, so that recursion over a record is bounded. */
export const nestingLevelsMax = 512;

/**
 * Adds an id to a record without one. The id is a hash of the content, so that a second import finds the same records
 * (lib/spec/workspace-document.md section 3). The hash excludes secrets, because ids are public.
 */
export function withId(kind: Kind, record: JsonObject): JsonObject {
  if (kind === 'workspace' || Object.hasOwn(record, 'id')) return record;
  const { secret, secretHash, ...content } = record;
  return {
    id: createHash('sha256').update(canonicalJson(content, nestingLevelsMax)).digest('hex').slice(0, 32),
    ...record,
  };
}

/**
 * The record in the form of the import, with members in schema order and every time stamp of its kind. A time stamp is
 * undefined if the document omits it.
 */
function inSchemaOrder({ schema }: KindDeclaration, record: JsonObject): JsonObject {
  const names = Object.keys(schema.shape);
  const present = names.filter((name) => record[name] !== undefined || name === 'createdAt' || name === 'updatedAt');
  return Object.fromEntries(present.map((name) => [name, record[name]]));
}

/** The unique key of a record: its slug, object key, `channelName` or `memberAddress`. Undefined if malformed. */
export function nameOf(kind: Kind, { unique }: KindDeclaration, record: JsonObject): string | undefined {
  const { type, identifier } = record;
  if (kind === 'member') return memberAddress(textOf(record['email']));
  if (kind !== 'channel') return unique === undefined ? undefined : normalized(textOf(record[unique])) || undefined;
  return typeof type === 'string' && typeof identifier === 'string' ? channelName({ type, identifier }) : undefined;
}

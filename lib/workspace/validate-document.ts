import { relatingFields } from '#lib/domain/cms/product-relation.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import type { Issue } from '#lib/domain/input.ts';
import { withPassedTimes } from '#lib/domain/schedule.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { WorkspaceId } from '#lib/domain/workspace.ts';
import type { Kind, ParsedRecord } from '#lib/kinds/kinds.ts';
import { checkRecord } from '#lib/records/check-record.ts';
import { documentKind } from '#lib/records/document-checks.ts';
import { parseRecord } from '#lib/records/parse-record.ts';
import type { UncheckedRecord } from '#lib/records/record-lookup.ts';
import { finding, indexDocument } from './document-index.ts';
import { type DocumentRecord, type DocumentSource, type Finding, failureOfDocument } from './document-item.ts';
import { DocumentLookup, nothingStored, type StoredLookup } from './document-lookup.ts';
import { orphanedRecords } from './orphaned-records.ts';

const recordsPerBatch = 64;
const changedSince = 'The document has changed since it was checked.';

interface ValidationOptions {
  /** Opens look-ups in the document's stored workspace. */
  readonly stored: (workspaceId: string) => StoredLookup;
  /** Ignores stored records of the kinds in the document, because the import removes them. */
  readonly prune?: boolean;
}

/** The failures and warnings of a document, in document order. */
export interface Validation {
  /** The id in the document. It may be malformed if there are failures. */
  readonly workspaceId: string | undefined;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly counts: Readonly<Partial<Record<Kind, number>>>;
  /** For `parsedRecords`. */
  readonly lookup: DocumentLookup;
}

/**
 * Checks a whole document (lib/spec/workspace-document.md section 2). The first pass collects ids, unique keys
 * and databases, because a record may precede its references. The second pass checks. Only these and the findings are in
 * memory.
 * @throws Failure
 */
export async function validateDocument(read: DocumentSource, options: ValidationOptions): Promise<Validation> {
  const { index, failures } = await indexDocument(read);
  const { data: workspaceId } = WorkspaceId.safeParse(index.workspaceId);
  const stored = workspaceId === undefined ? nothingStored : options.stored(workspaceId);
  const lookup = new DocumentLookup(index, stored, options.prune === true);
  for (const issue of await relationBounds(lookup)) failures.push(failureOfDocument('document', 0, issue));
  const warnings: Finding[] = [];
  for await (const records of inGroups(recordsIn(read), recordsPerBatch)) {
    const results = await Promise.all(records.map((record) => checkRecord(unchecked(record), lookup)));
    for (const [position, result] of results.entries()) {
      const record = records[position] as DocumentRecord;
      failures.push(...result.failures.map((issue) => finding(record, issue)));
      warnings.push(...result.warnings.map((issue) => finding(record, issue)));
    }
  }
  failures.push(...(await orphanedRecords(lookup)));
  failures.sort((a, b) => a.position - b.position);
  const counts = Object.fromEntries(index.counts);
  return { workspaceId: index.workspaceId, failures, warnings, counts, lookup };
}

/**
 * The records of a valid document as the import writes them, with ids, defaults, and values in stored form. Their members
 * are in schema order, and times that have passed are applied. Omitted time stamps are undefined. It reads the document again, with one record in memory.
 */
export async function* parsedRecords(
  read: DocumentSource,
  { lookup }: Pick<Validation, 'lookup'>,
): AsyncGenerator<ParsedRecord> {
  for await (const item of read()) {
    if ('failure' in item) throw new Error(changedSince);
    const { record, issues } = await parseRecord(unchecked(item), lookup);
    if (!record || issues.some(({ isNewer }) => !(isNewer && lookup.isExport))) throw new Error(changedSince);
    yield { kind: item.kind, record: withPassedTimes(record) } as unknown as ParsedRecord;
  }
}

/** The workspace of a checked document. */
export async function workspaceOf(read: DocumentSource, validation: Pick<Validation, 'lookup'>): Promise<Workspace> {
  for await (const { kind, record } of parsedRecords(read, validation)) if (kind === 'workspace') return record;
  throw new Error(changedSince);
}

const unchecked = ({ kind, record }: DocumentRecord): UncheckedRecord => ({ kind, rules: documentKind(kind), record });

async function* recordsIn(read: DocumentSource): AsyncGenerator<DocumentRecord> {
  for await (const item of read()) if (!('failure' in item)) yield item;
}

/** An item holds 400 KB. The rest is for the chunks that the directory lists. */
const directoryKilobytesMax = 200;

/**
 * An issue if the directory of relations to products would exceed one item. It covers all databases, including stored
 * ones that are missing from the document.
 */
async function relationBounds(lookup: DocumentLookup): Promise<Issue[]> {
  if (!lookup.index.counts.has('cmsModel')) return [];
  let bytes = 0;
  for await (const model of lookup.models()) {
    const fields = relatingFields(model);
    if (fields.length > 0) bytes += Buffer.byteLength(JSON.stringify({ [model.id]: { fields, chunks: [] } }));
  }
  const kilobytes = Math.ceil(bytes / 1_024);
  if (kilobytes <= directoryKilobytesMax) return [];
  const message = `Must relate to products in fewer fields: all of them take ${kilobytes} KB of at most ${directoryKilobytesMax} to list.`;
  return [{ path: 'cms.models', code: 'too_large', message }];
}

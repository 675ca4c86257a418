import { WorkspaceId } from '#lib/domain/identifier.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { checkRecord } from './check-record.ts';
import { finding, indexDocument } from './document-index.ts';
import { type DocumentRecord, type DocumentSource, failureOfDocument } from './document-item.ts';
import type { Kind, ParsedRecord } from './document-kinds.ts';
import type { Finding } from './finding.ts';
import { KnownRecords } from './known-records.ts';
import { orphanedProducts } from './orphaned-products.ts';
import { parseRecord } from './parse-record.ts';
import { relationBounds } from './relation-bounds.ts';
import { nothingStored, type StoredLookup } from './stored-lookup.ts';

const recordsAtOnce = 64;
const changedSince = 'The document has changed since it was checked.';

export interface ValidationOptions {
  /** What is stored of the workspace that the document names. */
  readonly stored: (workspaceId: string) => StoredLookup;
  /** Stored records of the kinds in the document will be removed, so they do not count. */
  readonly prune?: boolean;
}

/** All that is wrong with a document, and all that is doubtful, in its order. */
export interface Validation {
  /** As given: with failures it may be malformed. */
  readonly workspaceId: string | undefined;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly counts: Readonly<Partial<Record<Kind, number>>>;
  /** For `parsedRecords`. */
  readonly known: KnownRecords;
}

/**
 * Checks a whole document (lib/spec/workspace-document.md section 2). It is read twice, since a record may stand before
 * what it needs: once for ids, names and databases, once for the rest. Memory holds those and the findings.
 * @throws UnreadableDocument
 */
export async function validateDocument(read: DocumentSource, options: ValidationOptions): Promise<Validation> {
  const { index, failures } = await indexDocument(read);
  const { data: workspaceId } = WorkspaceId.safeParse(index.workspaceId);
  const stored = workspaceId === undefined ? nothingStored : options.stored(workspaceId);
  const known = new KnownRecords(index, stored, options.prune === true);
  for (const issue of await relationBounds(known)) failures.push(failureOfDocument('document', 0, issue));
  const warnings: Finding[] = [];
  for await (const records of batchesOf(read)) {
    const judgements = await Promise.all(records.map((record) => checkRecord(record, known)));
    for (const [place, judgement] of judgements.entries()) {
      const record = records[place] as DocumentRecord;
      failures.push(...judgement.failures.map((issue) => finding(record, issue)));
      warnings.push(...judgement.warnings.map((issue) => finding(record, issue)));
    }
  }
  failures.push(...(await orphanedProducts(known)));
  failures.sort((a, b) => a.position - b.position);
  const counts = Object.fromEntries(index.counts);
  return { workspaceId: index.workspaceId, failures, warnings, counts, known };
}

/**
 * The records of a document that `validateDocument` has found nothing wrong with, as the import writes them: with ids
 * and defaults, values in their stored form, members in the order of the schema. A time stamp that the document leaves
 * out is there and undefined. The document is read once more, so that memory holds a record at a time.
 */
export async function* parsedRecords(
  read: DocumentSource,
  { known }: Pick<Validation, 'known'>,
): AsyncGenerator<ParsedRecord> {
  for await (const item of read()) {
    const { record, issues } =
      'failure' in item ? { issues: [item.failure] } : await parseRecord(item.kind, item.record, known);
    if ('failure' in item || !record || issues.length > 0) throw new Error(changedSince);
    yield { kind: item.kind, record } as unknown as ParsedRecord;
  }
}

/** The workspace of a checked document, which is all that some callers need of it. */
export async function workspaceOf(read: DocumentSource, validation: Pick<Validation, 'known'>): Promise<Workspace> {
  for await (const { kind, record } of parsedRecords(read, validation)) if (kind === 'workspace') return record;
  throw new Error(changedSince);
}

async function* batchesOf(read: DocumentSource): AsyncGenerator<DocumentRecord[]> {
  let batch: DocumentRecord[] = [];
  for await (const item of read()) {
    if ('failure' in item) continue;
    batch.push(item);
    if (batch.length < recordsAtOnce) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

import { Model } from '#lib/domain/cms/cms-model.ts';
import { type Issue, isObject, type JsonObject, textOf } from '#lib/domain/input.ts';
import { parseStorable } from '#lib/domain/schema-rules.ts';
import { type Kind, kindOf } from '#lib/kinds/kinds.ts';
import { secretHashOf } from '#lib/records/document-checks.ts';
import { nameOf, withId } from '#lib/records/parse-record.ts';
import type { DocumentRecord, DocumentSource, Finding } from './document-item.ts';

/** The ids, unique keys and databases of a document. They are needed first, because records come in any order. */
export class DocumentIndex {
  /** The id in the document, which may be invalid. */
  workspaceId: string | undefined;
  languages: readonly string[] | undefined;
  /** In UTC. Undefined if the document omits it. */
  exportedAt: string | undefined;
  readonly models = new Map<string, Model>();
  /** The ids of malformed databases. Their entries cannot be checked. */
  readonly malformedModels = new Set<string>();
  /** The ids of conversations of other kinds than `main`. */
  readonly subConversations = new Set<string>();
  readonly counts = new Map<Kind, number>();
  readonly #ids = new Map<string, Set<string>>();
  readonly #names = new Map<string, Set<string>>();

  has = (kind: Kind, id: string): boolean => this.#ids.get(kind)?.has(id) === true;
  hasEntry = (modelId: string, id: string): boolean => this.#ids.get(entriesOf(modelId))?.has(id) === true;

  /** The owner of an id: a relation target such as `cms:chefs`, or the kind of another record. */
  ownerOf(id: string): string | undefined {
    const scope = [...this.#ids].find(([, ids]) => ids.has(id))?.[0];
    return scope?.replace(/^cmsEntry /, 'cms:').replace(/^menuProduct$/, 'menu:product');
  }

  /** Frees the ids and unique keys after the check. The import then needs only databases and languages. */
  clearNames(): void {
    this.#ids.clear();
    this.subConversations.clear();
    this.#names.clear();
  }

  /** Adds a record. @returns an issue for each unique value that an earlier record has, too */
  add(kind: Kind, input: JsonObject): Issue[] {
    const record = withId(kind, input);
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (kind === 'workspace') return this.#addWorkspace(record);
    if (kind === 'cmsModel') this.#addModel(record);
    if (kind === 'conversation' && isSub(record)) this.subConversations.add(textOf(record['id']));
    const scope = kind === 'cmsEntry' ? entriesOf(textOf(record['modelId'])) : kind;
    const issues = this.#claim(this.#ids, scope, record['id'], {
      path: 'id',
      message: Object.hasOwn(input, 'id')
        ? 'Must be unique: an earlier record of the document has the same id.'
        : 'Must be given: an earlier record of the document has the same content, and so the same derived id.',
    });
    return [...issues, ...this.#addNames(kind, record)];
  }

  #addWorkspace({ id, languages }: JsonObject): Issue[] {
    if (this.counts.get('workspace') !== 1) {
      return [
        { path: '', code: 'duplicate', message: 'Must be the only workspace of the document, on its first line.' },
      ];
    }
    this.workspaceId = typeof id === 'string' ? id : undefined;
    this.languages = Array.isArray(languages) ? languages.filter((code) => typeof code === 'string') : undefined;
    return [];
  }

  #addModel(record: JsonObject): void {
    const { value } = parseStorable(Model, record);
    if (value) this.models.set(value.id, value);
    else this.malformedModels.add(textOf(record['id']));
  }

  #addNames(kind: Kind, record: JsonObject): Issue[] {
    const declared = kindOf(kind);
    const { unique } = declared;
    if (unique !== undefined) {
      const message = `Must be unique: an earlier record of the document has the same ${unique}.`;
      return this.#claim(this.#names, kind, nameOf(kind, declared, record), { path: unique, message });
    }
    const message = 'Must be unique: an earlier key of the document has the same secret.';
    const path = 'secret' in record ? 'secret' : 'secretHash';
    return kind === 'apiKey' ? this.#claim(this.#names, kind, secretHashOf(record), { path, message }) : [];
  }

  #claim(claims: Map<string, Set<string>>, scope: string, name: unknown, issue: Omit<Issue, 'code'>): Issue[] {
    if (typeof name !== 'string') return [];
    const names = claims.get(scope) ?? new Set();
    claims.set(scope, names);
    if (names.has(name)) return [{ ...issue, code: 'duplicate' }];
    names.add(name);
    return [];
  }
}

const isSub = ({ kind = 'main' }: JsonObject): boolean => kind !== 'main';

const entriesOf = (modelId: string): string => `cmsEntry ${modelId}`;

/** Reads a document for its index and for the failures that need no index. */
export async function indexDocument(
  read: DocumentSource,
): Promise<{ readonly index: DocumentIndex; failures: Finding[] }> {
  const index = new DocumentIndex();
  const failures: Finding[] = [];
  for await (const item of read()) {
    if ('failure' in item) {
      failures.push(item.failure);
      continue;
    }
    index.exportedAt ??= item.exportedAt;
    if (isObject(item.record)) {
      failures.push(...index.add(item.kind, item.record).map((issue) => finding(item, issue)));
    }
  }
  return { index, failures };
}

/** An issue of a record, with the location of the record. */
export function finding({ kind, record, location, position }: DocumentRecord, issue: Issue): Finding {
  const { id, modelId } = isObject(record) ? record : ({} as JsonObject);
  if (typeof id !== 'string') return { kind, id: location, location, position, ...issue };
  // An id of an entry is unique in its database alone.
  const inDatabase = kind === 'cmsEntry' && typeof modelId === 'string' && { modelId: modelId.slice(0, 128) };
  return { kind, id: id.slice(0, 128), ...inDatabase, location, position, ...issue };
}

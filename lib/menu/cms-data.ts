import { entryFragment, type Fragment, stubText } from '#lib/cms/fragment.ts';
import type { EntrySelection } from '#lib/cms/selection.ts';
import { answerBytesMax, travelBytes } from '#lib/domain/answer-size.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { systemFields } from '#lib/domain/cms/field-names.ts';
import { type RelationRow, relatingFields, relationRow } from '#lib/domain/cms/product-relation.ts';
import { derived } from '#lib/domain/derived.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { type RenderOptions, renderKey } from '#lib/domain/text/locale.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { type CmsSchema, readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { type ProductRelations, relationAddress } from '#lib/table/menu/product-relations.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { tooLarge } from './list-page.ts';
import { keepText, keptText, type RenderedText } from './rendered-texts.ts';

/** The `cmsData` of products, in their order. */
export interface CmsDataTexts {
  readonly texts: readonly string[];
  /** Whether they match the versions of the relations and the databases. They may not during an import. */
  readonly isExact: boolean;
}

interface RelatedEntry {
  readonly modelId: string;
  readonly row: RelationRow;
}

/** A related entry, with the products of the page that it relates to. */
interface EntryOfProducts extends RelatedEntry {
  readonly productIds: string[];
}

/** The minimum size of an entry, which its system fields exceed. */
const entryBytesMin = 100;
/** The number of entries in the first read. Later reads grow as long as entries fit. */
const firstRead = 100;

/** The advice to make an answer with `cmsData` smaller. */
export const cmsDataSizeHint = 'limit, or ask for includeCmsData=false';

/**
 * The `cmsData` of products as JSON texts (lib/spec/decisions.md section 4). It lists the published entries that relate
 * to the product, by database, newest first. They have visible fields, and relations as ids.
 * @param schemaVersion that of the databases, as the request has read it
 * @throws StaleRead; 400 as soon as the answer is certainly too large
 */
export async function cmsDataTexts(
  table: Table,
  scope: WorkspaceScope,
  relations: ProductRelations | undefined,
  productIds: readonly string[],
  renderOptions: Pick<RenderOptions, 'locale'>,
  schemaVersion: string,
): Promise<CmsDataTexts> {
  if (!relations) return { texts: productIds.map(() => '{}'), isExact: true };
  const schema = await readCmsSchema(table, scope);
  const shown = { languages: schema.languages, locale: renderOptions.locale };
  const data = new CmsData({ entries: new CmsEntries(table, scope), relations, schema, renderOptions: shown });
  await data.load(productIds);
  // A change of the databases may be half visible.
  const isOfSchema = schema.version === schemaVersion;
  return { texts: productIds.map((id) => data.textOf(id)), isExact: relations.isExact && isOfSchema && data.isExact };
}

interface Sources {
  readonly entries: CmsEntries;
  readonly relations: ProductRelations;
  readonly schema: CmsSchema;
  readonly renderOptions: RenderOptions;
}

class CmsData {
  readonly #sources: Sources;
  /** The entries read, by product. */
  readonly #texts = new Map<string, Map<RelationRow, string>>();
  #room = answerBytesMax;
  /** Whether every entry matched its row. */
  isExact = true;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Reads the entries that relate to products, each once, as long as they fit into an answer. */
  async load(productIds: readonly string[]): Promise<void> {
    const found = this.#entriesOf(productIds);
    const occurrences = found.reduce((sum, entry) => sum + entry.productIds.length, 0);
    if (occurrences * entryBytesMin > answerBytesMax) throw tooLarge(cmsDataSizeHint);
    let from = 0;
    for (let count = firstRead; from < found.length; count *= 2) {
      await Promise.all(found.slice(from, from + count).map((entry) => this.#loadEntry(entry)));
      if (this.#room < 0) throw tooLarge(cmsDataSizeHint);
      from += count;
    }
  }

  textOf(productId: string): string {
    const texts = this.#texts.get(productId);
    const byModel = Map.groupBy(relatedEntriesOf(this.#sources.relations, productId), ({ modelId }) => modelId);
    const members = [...byModel].flatMap(([modelId, entries]) => {
      const shown = entries.flatMap(({ row }) => texts?.get(row) ?? []);
      return shown.length > 0 ? [`${JSON.stringify(modelId)}:[${shown.join()}]`] : [];
    });
    return `{${members.join()}}`;
  }

  #entriesOf(productIds: readonly string[]): EntryOfProducts[] {
    const found = new Map<RelationRow, EntryOfProducts>();
    for (const productId of productIds) {
      for (const { modelId, row } of relatedEntriesOf(this.#sources.relations, productId)) {
        const entry = found.get(row) ?? { modelId, row, productIds: [] };
        found.set(row, entry);
        entry.productIds.push(productId);
      }
    }
    return [...found.values()];
  }

  async #loadEntry({ modelId, row, productIds }: EntryOfProducts): Promise<void> {
    const { entries, relations, schema, renderOptions } = this.#sources;
    const record = [entries.workspaceId, modelId, row.id, row.revision].join('#');
    const address = `cmsData#${record}#${schema.version}#${renderKey(renderOptions)}`;
    // While an import writes, a row may name another version than the entry has.
    const cached = relations.isExact ? keptText(address) : undefined;
    if (cached) return this.#addText(cached, row, productIds);
    const entry = await entries.findAt(modelId, row.createdAt, row.id);
    const model = schema.models.get(modelId);
    if (!entry?.published || !model) {
      this.isExact = false;
      return;
    }
    const text = shallowText(entryFragment(entry, shownFields(model), renderOptions));
    const isOfRow = entry.revision === row.revision;
    if (!isOfRow) this.isExact = false;
    const rendered = isOfRow && relations.isExact ? keepText(address, text) : { text, bytes: travelBytes(text) };
    // An entry that is being updated or imported may be newer than its row.
    const related = new Set(relationRow(entry, relatingFields(model))?.productIds);
    this.#addText(
      rendered,
      row,
      productIds.filter((id) => related.has(id)),
    );
  }

  #addText({ text, bytes }: RenderedText, row: RelationRow, productIds: readonly string[]): void {
    this.#room -= bytes * productIds.length;
    for (const productId of productIds) {
      const texts = this.#texts.get(productId) ?? new Map<RelationRow, string>();
      this.#texts.set(productId, texts);
      texts.set(row, text);
    }
  }
}

/** The base's rows by product, made once for each base, which many states share. */
const basesByProduct = derived(({ models }: ProductRelations['base']) =>
  byProduct(
    Object.entries(models).flatMap(([modelId, { rows }]) => [...rows.values()].map((row) => ({ modelId, row }))),
  ),
);

const changesByProduct = derived(({ changed }: ProductRelations) =>
  byProduct(
    [...changed].flatMap(([address, row]) => (row ? { modelId: address.slice(0, address.indexOf(' ')), row } : [])),
  ),
);

function byProduct(entries: readonly RelatedEntry[]): ReadonlyMap<string, readonly RelatedEntry[]> {
  const found = new Map<string, RelatedEntry[]>();
  for (const entry of inOrder(entries.filter(({ row }) => row.published))) {
    for (const productId of entry.row.productIds) {
      const listed = found.get(productId);
      if (listed) listed.push(entry);
      else found.set(productId, [entry]);
    }
  }
  return found;
}

/** The published entries that relate to a product, by database, newest first. */
function relatedEntriesOf(relations: ProductRelations, productId: string): readonly RelatedEntry[] {
  const base = basesByProduct(relations.base).get(productId) ?? [];
  if (relations.changed.size === 0) return base;
  const isCurrent = ({ modelId, row }: RelatedEntry) => !relations.changed.has(relationAddress(modelId, row.id));
  return inOrder([...base.filter(isCurrent), ...(changesByProduct(relations).get(productId) ?? [])]);
}

const inOrder = (entries: readonly RelatedEntry[]): RelatedEntry[] =>
  entries.toSorted(
    (a, b) =>
      compareCodePoints(a.modelId, b.modelId) ||
      compareCodePoints(b.row.createdAt, a.row.createdAt) ||
      compareCodePoints(b.row.id, a.row.id),
  );

/** All fields that everybody sees. Relations are shown as ids. */
const shownFields = derived((model: Model): EntrySelection => {
  const fields = model.fields.filter(({ hidden }) => !hidden);
  const columns = fields.map((field) => (field.relation ? { field, related: () => shownFields(model) } : { field }));
  return {
    target: 'entry',
    modelId: model.id,
    columns: [...systemFields.map((system) => ({ system })), ...columns],
  };
});

const shallowText = ({ pieces }: Fragment): string =>
  pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const stubs = piece.ids.map(stubText).join();
      return piece.many ? `[${stubs}]` : stubs;
    })
    .join('');

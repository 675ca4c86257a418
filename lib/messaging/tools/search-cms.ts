import * as z from 'zod/mini';
import type { Source } from '#lib/ai/citation.ts';
import { closeHits, type Hit } from '#lib/ai/retrieval/text-index.ts';
import { alternativesOf, stemsOf } from '#lib/ai/retrieval/words.ts';
import type { EntryAnswer, EntryFieldAnswer, Found } from '#lib/ai/tool-answers.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { relatedModelId } from '#lib/domain/cms/field-names.ts';
import type { Localized } from '#lib/domain/text/localized.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import type { CmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { readMenu } from '#lib/table/menu/menu-index.ts';
import { type CmsKnowledge, cmsKnowledge, type EntryReference } from '../knowledge/cms-knowledge.ts';
import {
  type EntryFact,
  factsOf,
  factText,
  labelsOf,
  type ReaderLanguages,
  relatedOf,
  type TitleOfRelated,
  titleOf,
} from '../knowledge/entry-facts.ts';
import { factTexts, shortTitle } from '../knowledge/entry-texts.ts';
import { shortened } from '../knowledge/plain-text.ts';
import { defineTool, name, query, type ToolContext } from './tool.ts';

const foundMax = 8;
/** The maximum length of a text. Relevant words are usually early or in the title. */
const comparedCharactersMax = 20_000;
const entryCharactersMax = 700;

export const searchCms = defineTool({
  name: 'search_cms',
  description:
    'Finds pages and records that the business has published, such as locations, opening hours, offers, people and articles. ' +
    'Without a query it lists those of the model.',
  input: z.object({
    query: query('Words to look for, in any language of the business.'),
    model: name('Only entries of the database with this id.'),
  }),
  run: async (input, context) => {
    const { table, scope, isOpen } = context;
    const knowledge = await cmsKnowledge(table, scope);
    const fits = ({ modelId }: EntryReference) =>
      isOpen(modelId) && (input.model === undefined || modelId === input.model);
    const matching =
      input.query === '' && input.model !== undefined ? knowledge.entries.all() : knowledge.entries.search(input.query);
    const hits = closeOrNamed(matching.filter(({ document }) => fits(document)));
    const entries = await readPublished(hits.slice(0, foundMax), knowledge, context);
    const titles = await relatedTitles(entries, knowledge.schema, context);
    const present = entries.map((entry) => shownEntry(entry, input.query, titles, knowledge.schema, context.languages));
    const total = hits.length - Math.min(hits.length, foundMax) + present.length;
    const answer: Found<EntryAnswer> = { results: present.map((entry) => entry.answer), total };
    return { answer, sources: present.map(({ source }) => source) };
  },
});

/** Also finds records whose title is a part of the question, e.g. the page "Does it hurt?". */
function closeOrNamed<Document>(hits: readonly Hit<Document>[]): readonly Hit<Document>[] {
  const close = new Set(closeHits(hits));
  return hits.filter((hit) => hit.named || close.has(hit));
}

interface FoundEntry {
  readonly entry: StoredEntry;
  readonly model: Model;
  readonly match: number;
}

/** Rereads the entries, because they may have been changed or unpublished since the index was made. */
async function readPublished(
  hits: readonly Hit<EntryReference>[],
  { schema }: CmsKnowledge,
  { table, scope }: ToolContext,
): Promise<FoundEntry[]> {
  const entries = new CmsEntries(table, scope);
  const found = await Promise.all(
    hits.map(async ({ document: { modelId, createdAt, id }, match }) => {
      const entry = await entries.findAt(modelId, createdAt, id);
      const model = schema.models.get(modelId);
      return entry?.published && model ? [{ entry, model, match }] : [];
    }),
  );
  return found.flat();
}

function shownEntry(
  { entry, model, match }: FoundEntry,
  queryText: string,
  titles: TitleOfRelated,
  schema: CmsSchema,
  languages: ReaderLanguages,
): { answer: EntryAnswer; source: Source } {
  const { modelId, id } = entry;
  const facts = factsOf(model, entry, schema.languages);
  const title = titleOf(facts);
  const words = new Set(stemsOf(queryText).flatMap((stem) => [...alternativesOf(stem)]));
  const fields = facts.map((fact) => fieldAnswer(fact, words, languages, titles));
  const filled = fields.filter(({ value }) => value !== '').sort((a, b) => Number(b.relevant) - Number(a.relevant));
  return {
    answer: {
      id,
      modelId,
      database: languages.name(model.name),
      title: languages.name(title),
      match,
      fields: fitting(filled),
    },
    source: { citation: { kind: 'entry', modelId, id }, names: Object.values(title) },
  };
}

/** The entries that fit into the answer, the most relevant ones first. */
function fitting(fields: readonly EntryFieldAnswer[]): EntryFieldAnswer[] {
  let left = entryCharactersMax;
  return fields.filter(({ name: label, value }) => {
    left -= label.length + value.length;
    return left >= 0;
  });
}

function fieldAnswer(
  fact: EntryFact,
  words: ReadonlySet<string>,
  languages: ReaderLanguages,
  titles: TitleOfRelated,
): EntryFieldAnswer {
  const { key, name: label } = fact.field;
  const labels = labelsOf(fact.field);
  const texts = [...labels, ...factTexts(fact)];
  return {
    key,
    name: languages.name(label) || labels.join(),
    value: passage(factText(fact, languages, titles), words),
    relevant: texts.some((text) => stemsOf(text.slice(0, comparedCharactersMax)).some((word) => words.has(word))),
  };
}

const charactersMax = 300;
/** The maximum length of text that is searched. */
const searchedCharactersMax = 50_000;
const sentenceEnd = /(?<=[.!?؟؛\n])\s+/;

/** The most relevant part of a text: from the sentence that matches the words best. */
function passage(text: string, words: ReadonlySet<string>): string {
  if (text.length <= charactersMax) return text;
  const sentences = text.slice(0, searchedCharactersMax).split(sentenceEnd);
  const counts = sentences.map((sentence) => new Set(stemsOf(sentence).filter((word) => words.has(word))).size);
  const best = counts.indexOf(Math.max(...counts));
  return shortened(sentences.slice(best).join(' ').replaceAll('\n', ' '), charactersMax);
}

/** The maximum for one look-up. An answer has no room for more names. */
const readMax = 100;

/**
 * The titles of related records: published entries and products only. It rereads entries, because the index may be
 * minutes old and an unpublished entry must not be shown. Entries of databases that the agent may not read have no
 * title.
 * @throws Unavailable
 */
async function relatedTitles(
  shown: readonly { readonly entry: StoredEntry; readonly model: Model }[],
  schema: CmsSchema,
  { table, scope, isOpen }: ToolContext,
): Promise<TitleOfRelated> {
  const relations = shown.flatMap(({ entry, model }) =>
    factsOf(model, entry, schema.languages).flatMap((fact) => relatedOf(fact) ?? []),
  );
  const addresses = relations.flatMap((relation) => {
    const modelId = relatedModelId(relation);
    return modelId !== undefined && isOpen(modelId) ? relation.ids.map((id) => `${modelId}#${id}`) : [];
  });
  const entries = new CmsEntries(table, scope);
  const read = [...new Set(addresses)].slice(0, readMax).map(async (address): Promise<[string, Localized]> => {
    const [modelId = '', id = ''] = address.split('#');
    const model = schema.models.get(modelId);
    const entry = await entries.find(modelId, id);
    return [address, model && entry?.published ? shortTitle(factsOf(model, entry, schema.languages)) : {}];
  });
  const [titles, index] = await Promise.all([
    Promise.all(read).then((all) => new Map(all)),
    relations.some((relation) => relatedModelId(relation) === undefined)
      ? readMenu(table, scope, async (menu) => menu)
      : undefined,
  ]);
  const products = index && lookupsOf(index).products;
  return (to, id) => {
    const modelId = relatedModelId({ to });
    if (modelId !== undefined) return titles.get(`${modelId}#${id}`);
    const product = products?.get(id);
    return product?.published ? product.name : undefined;
  };
}

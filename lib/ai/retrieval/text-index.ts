import MiniSearch, { type SearchResult } from 'minisearch';
import { alternativesOf, digitsOf, stemsInText, stemsOf, weakStemsOf } from './words.ts';

export interface IndexedText {
  readonly name: readonly string[];
  readonly texts?: readonly string[];
  /** Those that hardly describe the document itself. */
  readonly minor?: readonly string[];
}

export interface Hit<Document> {
  readonly document: Document;
  /** The share of the query that occurs in the document, 0 to 1. Rare words weigh more. */
  readonly match: number;
  /** True if the query contains all words of one of its names. Numbers of one digit must also match. */
  readonly named: boolean;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  readonly minor: string;
}

interface Name {
  readonly stems: readonly string[];
  readonly digits: readonly string[];
}

/** A word of a query, with its alternatives. */
interface Term {
  readonly words: ReadonlySet<string>;
  readonly weight: number;
}

interface Query {
  readonly terms: readonly Term[];
  /** Of all terms. */
  readonly words: ReadonlySet<string>;
  readonly digits: ReadonlySet<string>;
  /** The weight of all terms. */
  readonly totalWeight: number;
}

const boost = { name: 3, text: 1, minor: 0.1 };
/** A match in a name weighs more than a match in a text. */
const nameBonus = 0.25;
/** The weight of words that usually accompany a topic. */
const weakWeight = 0.3;
const mistypedLettersMin = 5;
/** In other scripts a letter is a vowel or a syllable, so that another letter makes another word. */
const alphabetic = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]+$/u;

/** Finds documents by the words of their texts, in all languages. */
export class TextIndex<Document> {
  readonly #documents: Document[] = [];
  readonly #names: (readonly Name[])[] = [];
  readonly #frequencies = new Map<string, number>();
  readonly #index = new MiniSearch<Row>({
    fields: ['name', 'text', 'minor'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
  });
  #size = 0;

  /** The approximate size in bytes. */
  get weight(): number {
    return 60 * this.#size + 200 * this.#frequencies.size + 600 * this.#documents.length;
  }

  add(document: Document, { name, texts = [], minor = [] }: IndexedText): void {
    const id = this.#documents.push(document) - 1;
    const names = name.map((text) => ({ stems: stemsOf(text), digits: digitsOf(text) }));
    this.#names.push(names.filter((name) => name.stems.length > 0));
    const row = {
      name: names.flatMap((name) => name.stems),
      text: texts.flatMap(stemsInText),
      minor: minor.flatMap(stemsInText),
    };
    const words = new Set(Object.values(row).flat());
    for (const word of words) this.#frequencies.set(word, (this.#frequencies.get(word) ?? 0) + 1);
    this.#size += words.size;
    this.#index.add({ id, name: row.name.join(' '), text: row.text.join(' '), minor: row.minor.join(' ') });
  }

  /** Documents with a word of the query, best first; equal ones in insertion order. */
  search(query: string): Hit<Document>[] {
    const terms = this.#termsOf(query);
    const words = new Set(terms.flatMap((term) => [...term.words]));
    const totalWeight = terms.reduce((sum, { weight }) => sum + weight, 0);
    if (totalWeight === 0) return [];
    const digits = new Set(digitsOf(query));
    const found = this.#index.search([...words].join(' '), { boost, fuzzy: (word) => Number(this.#maySlip(word)) });
    return found
      .map((result) => ({ result, ...this.#judge(result, { terms, words, digits, totalWeight }) }))
      .sort((a, b) => b.rank - a.rank || b.result.score - a.result.score || a.result.id - b.result.id)
      .map(({ hit }) => hit);
  }

  /** All documents in insertion order. */
  all(): Hit<Document>[] {
    return this.#documents.map((document) => ({ document, match: 0, named: false }));
  }

  #judge({ id, queryTerms, match }: SearchResult, { terms, words, digits, totalWeight }: Query) {
    const present = new Set(queryTerms);
    const isIn = (term: Term) => [...term.words].some((word) => present.has(word));
    const matched = terms.filter(isIn).reduce((sum, { weight }) => sum + weight, 0) / totalWeight;
    const stems = new Set([...words, ...Object.keys(match)]);
    const named =
      this.#names[id]?.some(
        (name) =>
          name.stems.every((word) => stems.has(word)) &&
          (digits.size === 0 || name.digits.every((digit) => digits.has(digit))),
      ) ?? false;
    const isCalled = Object.values(match).some((fields) => fields.includes('name'));
    const hit = { document: this.#documents[id] as Document, match: Math.round(100 * matched) / 100, named };
    return { hit, rank: matched + (named ? 2 : isCalled ? 1 : 0) * nameBonus };
  }

  /** The words of a query. A word without documents weighs like a rare one. */
  #termsOf(query: string): Term[] {
    const weak = weakStemsOf(query);
    return [...new Set(stemsOf(query))].map((stem) => {
      const words = alternativesOf(stem);
      const frequency = Math.max(...[...words].map((word) => this.#frequencies.get(word) ?? 0));
      const rarity = Math.log(1 + this.#documents.length / Math.max(0.5, frequency));
      if (!weak.has(stem)) return { words, weight: rarity };
      return { words, weight: frequency > 0 ? weakWeight * rarity : 0 };
    });
  }

  /** A long word that no document has, and that has no synonyms, may have one wrong letter. */
  #maySlip = (stem: string): boolean =>
    stem.length >= mistypedLettersMin &&
    alphabetic.test(stem) &&
    !this.#frequencies.has(stem) &&
    alternativesOf(stem).size === 1;
}

const closeness = 0.75;

/** The hits that match about as well as the best one. */
export function closeHits<Document>(hits: readonly Hit<Document>[]): readonly Hit<Document>[] {
  const best = hits[0]?.match ?? 0;
  return hits.filter(({ match }) => match >= closeness * best);
}

import { withoutLetterPrefix } from './arabic-stem.ts';
import { nearestWord } from './nearest-word.ts';
import { synonymsOf } from './synonyms.ts';
import { stemsInText, stemsOf, weakStemsOf } from './words.ts';

/** A text of a document, and how much a word in it counts beside one in the others. */
export interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

export interface IndexedText {
  readonly name: readonly string[];
  readonly texts: readonly WeightedText[];
}

export interface Hit<Document> {
  readonly document: Document;
  readonly score: number;
  /** How much of what is asked occurs in it, 0 to 1; rare words count more. */
  readonly match: number;
  /** Whether all words of one of its names are asked for. */
  readonly named: boolean;
}

/** A word of a query. */
interface Term {
  /** Those of the index that it stands for, and how surely. */
  readonly words: ReadonlyMap<string, number>;
  readonly matches: ReadonlyMap<number, TermMatch>;
  readonly rarity: number;
}

interface TermMatch {
  readonly score: number;
  readonly certainty: number;
  /** The certainty, where it is in a name. */
  readonly called: number;
}

interface Postings {
  readonly documents: number[];
  readonly weights: number[];
}

const nameWeight = 3;
/** The usual parameters of BM25: how soon repetition stops to count, and how much length does. */
const saturation = 1.2;
const lengthPenalty = 0.5;
const nearlyTheSame = 0.8;
const meansTheSame = 0.85;
/** Of a word that is only in texts of next to no weight, and how sure it is that such a document is meant. */
const hardlyWeight = 0.25;
const hardlyMeant = 0.6;
/** What is called so is more likely meant than what only mentions it. */
const calledBonus = 0.25;
/** So many words of a query may be mistyped; each is compared with all names. */
const guessedMax = 32;
/** Of words that mostly go along with what is asked for. */
const weakWeight = 0.3;

/** Finds documents by the words of their texts (BM25), in all of their languages at once. */
export class TextIndex<Document> {
  readonly #documents: Document[] = [];
  readonly #lengths: number[] = [];
  readonly #names: string[][][] = [];
  readonly #postings = new Map<string, Postings>();
  readonly #nameWords = new Set<string>();
  #length = 0;
  #size = 0;

  /** About how many bytes it takes. */
  get weight(): number {
    return 24 * this.#size + 100 * this.#postings.size + 300 * this.#documents.length;
  }

  add(document: Document, { name, texts }: IndexedText): void {
    const position = this.#documents.push(document) - 1;
    const names = name.map(stemsOf).filter((words) => words.length > 0);
    this.#names.push(names);
    const weights = new Map<string, number>();
    const count = (word: string, weight: number) => weights.set(word, (weights.get(word) ?? 0) + weight);
    for (const word of new Set(names.flat())) {
      this.#nameWords.add(word);
      count(word, nameWeight);
    }
    for (const { text, weight } of texts) {
      for (const word of stemsInText(text)) count(word, weight);
    }
    for (const [word, weight] of weights) this.#post(word, position, weight);
    this.#size += weights.size;
    this.#lengths.push(weights.size);
    this.#length += weights.size;
  }

  /** The documents with a word of the query, best first; equal ones in the order in which they were added. */
  search(query: string): Hit<Document>[] {
    const terms = this.#termsOf(query);
    const asked = terms.reduce((sum, { rarity }) => sum + rarity, 0);
    const scores = new Map<number, { score: number; matched: number; called: number }>();
    for (const { rarity, matches } of terms) {
      for (const [position, { score, certainty, called }] of matches) {
        const found = scores.get(position) ?? { score: 0, matched: 0, called: 0 };
        scores.set(position, found);
        found.score += rarity * score;
        found.matched += rarity * certainty;
        found.called += rarity * called;
      }
    }
    const words = new Set(terms.flatMap((term) => [...term.words.keys()]));
    return [...scores]
      .map(([position, { score, matched, called }]) => ({
        position,
        rank: Math.round((100 * (matched + calledBonus * called)) / asked),
        hit: {
          document: this.#documents[position] as Document,
          score,
          match: Math.round((100 * matched) / asked) / 100,
          named: this.#names[position]?.some((name) => name.every((word) => words.has(word))) ?? false,
        },
      }))
      .sort((a, b) => b.rank - a.rank || b.hit.score - a.hit.score || a.position - b.position)
      .map(({ hit }) => hit);
  }

  /** Every document, in the order in which they were added. */
  all(): Hit<Document>[] {
    return this.#documents.map((document) => ({ document, score: 0, match: 0, named: false }));
  }

  #saturated(weight: number, position: number): number {
    const relativeLength = (this.#lengths[position] ?? 0) / (this.#length / this.#documents.length);
    return (weight * (saturation + 1)) / (weight + saturation * (1 - lengthPenalty + lengthPenalty * relativeLength));
  }

  #post(word: string, position: number, weight: number): void {
    const postings = this.#postings.get(word) ?? { documents: [], weights: [] };
    this.#postings.set(word, postings);
    postings.documents.push(position);
    postings.weights.push(weight);
  }

  /** The words of a query, with the documents that have them; one that is not known counts like one that occurs once. */
  #termsOf(query: string): Term[] {
    const weak = weakStemsOf(query);
    return [...new Set(stemsOf(query))].map((stem, index) => {
      const words = this.#knownWords(stem, !weak.has(stem) && index < guessedMax);
      const matches = this.#matchesOf(words);
      const frequency = matches.size || 1;
      const rarity = Math.log(1 + (this.#documents.length - frequency + 0.5) / (frequency + 0.5));
      const weight = weak.has(stem) ? (matches.size > 0 ? weakWeight : 0) : 1;
      return { words, matches, rarity: weight * rarity };
    });
  }

  /** The best of a term's words counts in a document. */
  #matchesOf(words: ReadonlyMap<string, number>): Map<number, TermMatch> {
    const matches = new Map<number, TermMatch>();
    for (const [word, known] of words) {
      const { documents, weights } = this.#postings.get(word) ?? { documents: [], weights: [] };
      for (const [index, position] of documents.entries()) {
        const weight = weights[index] ?? 0;
        const certainty = weight < hardlyWeight ? hardlyMeant * known : known;
        const score = certainty * this.#saturated(weight, position);
        if (score <= (matches.get(position)?.score ?? 0)) continue;
        const isCalled = this.#names[position]?.some((name) => name.includes(word)) ?? false;
        matches.set(position, { score, certainty, called: isCalled ? certainty : 0 });
      }
    }
    return matches;
  }

  /** The words of the index that are meant by one of a query, and how surely. */
  #knownWords(stem: string, isGuessed: boolean): ReadonlyMap<string, number> {
    const bare = withoutLetterPrefix(stem);
    const meant = [stem, bare].find((word) => word !== undefined && this.#postings.has(word));
    const alike = [stem, bare ?? stem]
      .flatMap((word) => [...synonymsOf(word)])
      .filter((word) => this.#postings.has(word));
    const words = new Map(alike.map((word) => [word, meansTheSame]));
    if (meant !== undefined) return words.set(meant, 1);
    // What is a word by itself is not another one misspelt.
    if (!isGuessed || synonymsOf(stem).size > 0) return words;
    const near = nearestWord(stem, this.#nameWords);
    return near === undefined ? words : words.set(near, nearlyTheSame);
  }
}

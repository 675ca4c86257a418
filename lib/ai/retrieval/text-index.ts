import { withoutLetterPrefix } from './arabic-stem.ts';
import { nearestWord } from './nearest-word.ts';
import { stemsOf } from './words.ts';

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

interface Postings {
  readonly documents: number[];
  readonly weights: number[];
}

const nameWeight = 3;
/** The usual parameters of BM25: how soon repetition stops to count, and how much length does. */
const saturation = 1.2;
const lengthPenalty = 0.5;
const nearlyTheSame = 0.8;

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
    for (const { text, weight } of texts) for (const word of stemsOf(text)) count(word, weight);
    for (const [word, weight] of weights) this.#post(word, position, weight);
    this.#size += weights.size;
    this.#lengths.push(weights.size);
    this.#length += weights.size;
  }

  /** The documents with a word of the query, best first; equal ones in the order in which they were added. */
  search(query: string): Hit<Document>[] {
    const terms = this.#termsOf(query);
    const asked = terms.reduce((sum, { rarity }) => sum + rarity, 0);
    const scores = new Map<number, { score: number; matched: number }>();
    for (const { word, rarity, certainty } of terms) {
      const { documents, weights } = this.#postings.get(word) ?? { documents: [], weights: [] };
      for (const [index, position] of documents.entries()) {
        const found = scores.get(position) ?? { score: 0, matched: 0 };
        scores.set(position, found);
        found.score += certainty * rarity * this.#saturated(weights[index] ?? 0, position);
        found.matched += certainty * rarity;
      }
    }
    const words = new Set(terms.map(({ word }) => word));
    return [...scores]
      .map(([position, { score, matched }]) => ({
        position,
        hit: {
          document: this.#documents[position] as Document,
          score,
          match: Math.round((100 * matched) / asked) / 100,
          named: this.#names[position]?.some((name) => name.every((word) => words.has(word))) ?? false,
        },
      }))
      .sort((a, b) => b.hit.match - a.hit.match || b.hit.score - a.hit.score || a.position - b.position)
      .map(({ hit }) => hit);
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

  /** The words of a query as the index knows them; one that it does not know counts like one that occurs once. */
  #termsOf(query: string) {
    return [...new Set(stemsOf(query))].map((stem) => {
      const { word, certainty } = this.#known(stem);
      const frequency = this.#postings.get(word)?.documents.length ?? 1;
      return { word, certainty, rarity: Math.log(1 + (this.#documents.length - frequency + 0.5) / (frequency + 0.5)) };
    });
  }

  #known(stem: string): { word: string; certainty: number } {
    if (this.#postings.has(stem)) return { word: stem, certainty: 1 };
    const bare = withoutLetterPrefix(stem);
    if (bare !== undefined && this.#postings.has(bare)) return { word: bare, certainty: 1 };
    const near = nearestWord(stem, this.#nameWords);
    return { word: near ?? stem, certainty: near === undefined ? 1 : nearlyTheSame };
  }
}

import type { Hit } from '#lib/ai/retrieval/text-index.ts';

const closeness = 0.75;

/** The hits that match about as well as the best one. */
export function closeHits<Document>(hits: readonly Hit<Document>[]): readonly Hit<Document>[] {
  const best = hits[0]?.match ?? 0;
  return hits.filter(({ match }) => match >= closeness * best);
}

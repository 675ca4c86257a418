import { travelBytes } from '#lib/domain/answer-size.ts';
import { containerMemory, textBytes } from '#lib/table/memory/container-memory.ts';

/** A record as answers show it. */
export interface RenderedText {
  /** JSON. */
  readonly text: string;
  /** Size of the text in an answer. */
  readonly bytes: number;
}

interface KeptText extends RenderedText {
  /** The records that the text shows parts of, and their hashes: the text holds while they have these. */
  readonly neighbourIds: readonly string[];
  readonly neighbourHashes: string;
}

const texts = containerMemory.view<KeptText>();

/**
 * A record in one version as JSON, rendered once per container and version of its neighbours.
 * @param address names the workspace, the record and its version
 * @param hashesOf the hashes of the records with these ids, as one text
 */
export async function renderedText(
  address: string,
  render: () => Promise<{ readonly text: string; readonly neighbourIds?: readonly string[] }>,
  hashesOf: (neighbourIds: readonly string[]) => string = () => '',
): Promise<RenderedText> {
  const kept = keptText(address, hashesOf);
  if (kept) return kept;
  const { text, neighbourIds } = await render();
  return keepText(address, text, neighbourIds, hashesOf);
}

/** A text as far as this container has rendered it. */
export function keptText(
  address: string,
  hashesOf: (neighbourIds: readonly string[]) => string = () => '',
): RenderedText | undefined {
  const kept = texts.get(address);
  return kept && kept.neighbourHashes === hashesOf(kept.neighbourIds) ? kept : undefined;
}

export function keepText(
  address: string,
  text: string,
  neighbourIds: readonly string[] = [],
  hashesOf: (neighbourIds: readonly string[]) => string = () => '',
): RenderedText {
  const neighbourHashes = hashesOf(neighbourIds);
  const weight = textBytes(text) + textBytes(neighbourHashes) + textBytes(neighbourIds.join());
  const kept = { text, bytes: travelBytes(text), neighbourIds, neighbourHashes };
  texts.set(address, kept, weight);
  return kept;
}

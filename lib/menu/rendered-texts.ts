import { travelBytes } from '#lib/domain/answer-size.ts';
import { containerMemory, textBytes } from '#lib/table/memory/container-memory.ts';

/** The rendered JSON of a record. */
export interface RenderedText {
  /** JSON. */
  readonly text: string;
  /** The size of the text in an answer, in bytes. */
  readonly bytes: number;
}

interface KeptText extends RenderedText {
  /** The ids of other records whose data is in the text. The text is valid while their hashes stay the same. */
  readonly neighbourIds: readonly string[];
  readonly neighbourHashes: string;
}

const texts = containerMemory.view<KeptText>();

/**
 * The JSON of one version of a record, rendered once per container and version of its neighbours.
 * @param address identifies the workspace, the record and its version
 * @param hashesOf the hashes of the records with these ids, as one string
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

/** A text that this container has rendered and cached. */
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

import { travelBytes } from '#lib/domain/answer-size.ts';
import { containerMemory, textBytes } from '#lib/table/memory/container-memory.ts';

export interface RenderedText {
  readonly text: string;
  /** The size of the text in an answer, in bytes. */
  readonly bytes: number;
}

interface CachedText extends RenderedText {
  /** The ids of other records whose data is in the text. The text is valid while their hashes stay the same. */
  readonly neighbourIds: readonly string[];
  readonly neighbourHashes: string;
}

const texts = containerMemory.view<CachedText>();

/**
 * The JSON of one version of a record, rendered once per container and version of its neighbours.
 * @param address identifies the workspace, the record and its version
 * @param hashesOf the hashes of the records with these ids, as one string
 */
export async function renderedText(
  address: string,
  render: () => Promise<{ readonly text: string; readonly neighbourIds?: readonly string[] }>,
  hashesOf: (neighbourIds: readonly string[]) => string = () => '',
): Promise<string> {
  const cached = texts.get(address);
  if (cached && cached.neighbourHashes === hashesOf(cached.neighbourIds)) return cached.text;
  const { text, neighbourIds = [] } = await render();
  return keepText(address, text, neighbourIds, hashesOf(neighbourIds)).text;
}

/** A text without neighbours that this container has cached. */
export const keptText = (address: string): RenderedText | undefined => texts.get(address);

export function keepText(
  address: string,
  text: string,
  neighbourIds: readonly string[] = [],
  neighbourHashes = '',
): RenderedText {
  const weight = textBytes(text) + textBytes(neighbourHashes) + textBytes(neighbourIds.join());
  const cached = { text, bytes: travelBytes(text), neighbourIds, neighbourHashes };
  texts.set(address, cached, weight);
  return cached;
}

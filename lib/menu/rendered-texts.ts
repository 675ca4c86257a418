import { containerMemory, textBytes } from '#lib/table/memory/container-memory.ts';

/** The JSON text of a record as answers show it. */
interface RenderedText {
  readonly text: string;
  /** The records that the text shows parts of, and their hashes: the text holds while they have these. */
  readonly neighbourIds: readonly string[];
  readonly neighbourHashes: string;
}

const texts = containerMemory.view<RenderedText>();

/**
 * The JSON text of a record in one version, rendered once per container and version of its neighbours.
 * @param address names the workspace, the record and its version
 * @param hashesOf the hashes of the records with these ids, as one text
 */
export async function renderedText(
  address: string,
  render: () => Promise<Pick<RenderedText, 'text'> & { readonly neighbourIds?: readonly string[] }>,
  hashesOf: (neighbourIds: readonly string[]) => string = () => '',
): Promise<string> {
  const before = texts.get(address);
  if (before && before.neighbourHashes === hashesOf(before.neighbourIds)) return before.text;
  const { text, neighbourIds = [] } = await render();
  const neighbourHashes = hashesOf(neighbourIds);
  const bytes = textBytes(text) + textBytes(neighbourHashes) + textBytes(neighbourIds.join());
  texts.set(address, { text, neighbourIds, neighbourHashes }, bytes);
  return text;
}

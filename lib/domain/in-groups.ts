/** A list in groups of this length; the last one may be shorter. */
export async function* inGroups<Each>(
  all: Iterable<Each> | AsyncIterable<Each>,
  length: number,
): AsyncGenerator<Each[]> {
  let group: Each[] = [];
  for await (const each of all) {
    group.push(each);
    if (group.length < length) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

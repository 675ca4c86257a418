/** The first items, at most this number. No more are read. */
export async function firstOf<Item>(count: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const first: Item[] = [];
  for await (const item of items) if (first.push(item) === count) break;
  return first;
}

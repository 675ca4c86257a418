import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../schema.ts';

/** Unmarshalls the item of an error. The document client unmarshalls responses, but not errors. */
export const plainItem = (item: Readonly<Record<string, AttributeValue>> | undefined): Item | undefined =>
  item && (plainMap(item) as Item);

const plainMap = (map: Readonly<Record<string, AttributeValue>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, plainValue(value)]));

function plainValue({ S, N, BOOL, B, M, L }: AttributeValue): unknown {
  if (N !== undefined) return Number(N);
  if (M) return plainMap(M);
  return L?.map(plainValue) ?? S ?? BOOL ?? B ?? null;
}

import { type Kind, kindOf, kinds } from './kinds.ts';

const nameOf = (kind: Kind): string => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** With the name of each kind in types, such as `menu_product`. */
export const eventKinds = kinds.flatMap((kind) => {
  const { events } = kindOf(kind);
  return events ? [{ ...events, name: nameOf(kind) }] : [];
});

/** The types of events by the kinds in addresses: `menu_product.updated`. */
export const eventTypes: ReadonlyMap<string, readonly string[]> = new Map(
  eventKinds.map(({ path, name, actions }) => [path, actions.map((action) => `${name}.${action}`)]),
);

/** What may be asked for: each type, and `menu_product.*` for all of a kind. */
const selectors: ReadonlySet<string> = new Set([
  ...[...eventTypes.values()].flat(),
  ...eventKinds.map(({ name }) => `${name}.*`),
]);

export const isSelector = (text: string): boolean => selectors.has(text);

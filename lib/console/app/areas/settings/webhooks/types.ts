import { typesOfEvents } from '#lib/kinds/kind-labels.ts';

/** The types of events of one kind. */
export interface TypeGroup {
  /** The kind in addresses. */
  readonly kind: string;
  /** Stands for all of them: `menu_product.*`. */
  readonly all: string;
  readonly types: readonly string[];
}

const everyOf = (type: string): string => `${type.slice(0, type.indexOf('.'))}.*`;

export const typeGroups: readonly TypeGroup[] = Object.entries(typesOfEvents).map(([kind, types]) => ({
  kind,
  all: everyOf(types[0] ?? ''),
  types,
}));

/** Whether the choice has a type, by itself or with all of its kind. */
export const hasType = (chosen: readonly string[], type: string): boolean =>
  chosen.includes(type) || chosen.includes(everyOf(type));

/** Adds or removes a type. All of a kind takes the place of its single types. */
export function toggledType(chosen: readonly string[], type: string): readonly string[] {
  if (chosen.includes(type)) return chosen.filter((other) => other !== type);
  const others = type.endsWith('.*') ? chosen.filter((other) => everyOf(other) !== type) : chosen;
  return [...others, type];
}

/** `updated` of `menu_product.updated` */
export const actionOf = (type: string): string => type.slice(type.indexOf('.') + 1);

import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { EventAction } from '#lib/domain/events/happened.ts';
import type { EventRules } from './define-kind.ts';
import { type Kind, kindOf, kinds } from './kinds.ts';

interface EventKind extends EventRules {
  /** The kind in types, such as `menu_product`. */
  readonly name: string;
}

const nameOf = (kind: Kind): string => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const eventKinds: readonly EventKind[] = kinds.flatMap((kind) => {
  const { events } = kindOf(kind);
  return events ? [{ ...events, name: nameOf(kind) }] : [];
});

const byPath: ReadonlyMap<string, EventKind> = new Map(eventKinds.map((kind) => [kind.path, kind]));

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

/** @param selected types and `<kind>.*` */
export const isSelected = (type: string, selected: ReadonlySet<string>): boolean =>
  selected.has(type) || selected.has(`${type.slice(0, type.indexOf('.'))}.*`);

/** A stored change. */
interface Change {
  readonly recordKind: string;
  readonly action: EventAction;
  readonly isDraft: boolean;
}

/** The type of an event; undefined for changes that are none, such as those of images. */
export function typeOf({ recordKind, action }: Change): string | undefined {
  const kind = byPath.get(recordKind);
  return kind?.actions.includes(action) ? `${kind.name}.${action}` : undefined;
}

/** @returns whether a caller sees an event (lib/spec/additions.md section 5) */
export function visibleTo(principal: Principal): (change: Change) => boolean {
  const effective = effectivePermissions(principal);
  return ({ recordKind, isDraft }) => {
    const kind = byPath.get(recordKind);
    if (!kind) return false;
    const granted = kind.ofKeyAlone ? principal.permissions : effective;
    const seesDrafts = kind.drafts === undefined || granted.has(kind.drafts);
    return kind.read.some((permission) => granted.has(permission)) && (!isDraft || seesDrafts);
  };
}

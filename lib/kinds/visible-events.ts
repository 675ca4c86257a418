import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { EventAction } from '#lib/domain/events/happened.ts';
import { eventKinds } from './event-types.ts';

const byPath = new Map(eventKinds.map((kind) => [kind.path, kind]));

/** @param selected types and `<kind>.*` */
export const isSelected = (type: string, selected: ReadonlySet<string>): boolean =>
  selected.has(type) || selected.has(`${type.slice(0, type.indexOf('.'))}.*`);

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

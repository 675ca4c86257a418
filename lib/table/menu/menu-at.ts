import { isSoldOut } from '#lib/domain/menu/sold-out.ts';
import { derived } from '../memory/derived.ts';
import type { MenuIndex } from './menu-index.ts';

/** A menu that is valid from one time until another. */
interface TimedMenu {
  readonly index: MenuIndex;
  readonly from: string;
  readonly to: string;
}

/** The last menu derived from each stored one. */
const timedMenus = derived((_: MenuIndex): { last: TimedMenu | undefined } => ({ last: undefined }));

/**
 * A stored menu at a time: products become available at their `soldoutUntil` (lib/spec/additions.md section 2).
 * The version contains the last such time, so that ETags change with it.
 * @param now such as `2026-01-31T09:00:00.000Z`
 */
export function menuAt(stored: MenuIndex, now: string): MenuIndex {
  const cached = timedMenus(stored);
  if (!cached.last || now < cached.last.from || now >= cached.last.to) cached.last = timedMenu(stored, now);
  return cached.last.index;
}

function timedMenu(stored: MenuIndex, now: string): TimedMenu {
  let from = '';
  let to = '~';
  for (const { soldout, soldoutUntil } of stored.products) {
    if (!soldout || soldoutUntil === null) continue;
    if (soldoutUntil <= now && soldoutUntil > from) from = soldoutUntil;
    if (soldoutUntil > now && soldoutUntil < to) to = soldoutUntil;
  }
  if (from === '') return { index: stored, from, to };
  const products = stored.products.map((row) =>
    row.soldout && !isSoldOut(row, now) ? { ...row, soldout: false } : row,
  );
  return { index: { ...stored, version: `${stored.version} ${from}`, products }, from, to };
}

/** The properties of a product for its availability. */
export interface SoldOut {
  readonly soldout: boolean;
  readonly soldoutUntil: string | null;
}

/** True if it is sold out at this time. It becomes available at `soldoutUntil` without a write. */
export const isSoldOut = ({ soldout, soldoutUntil }: SoldOut, now: number): boolean =>
  soldout && (soldoutUntil === null || Date.parse(soldoutUntil) > now);

export const untilChoices = ['changed', 'hour', 'today', 'tomorrow'] as const;
export type UntilChoice = (typeof untilChoices)[number];

/** The end of a choice in the browser's time zone; null for no end. */
export function untilOf(choice: UntilChoice, now: Date): string | null {
  const end = new Date(now);
  if (choice === 'changed') return null;
  if (choice === 'hour') end.setTime(now.getTime() + 60 * 60_000);
  if (choice === 'today') end.setHours(24, 0, 0, 0);
  if (choice === 'tomorrow') {
    end.setDate(now.getDate() + 1);
    end.setHours(12, 0, 0, 0);
  }
  return end.toISOString();
}

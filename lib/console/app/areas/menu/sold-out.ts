/** The members of a product about being sold out. */
export interface SoldOut {
  readonly soldout: boolean;
  readonly soldoutUntil: string | null;
}

/** Whether it counts as sold out at this time: from `soldoutUntil` on it is available again, without any write. */
export const isSoldOut = ({ soldout, soldoutUntil }: SoldOut, now: number): boolean =>
  soldout && (soldoutUntil === null || Date.parse(soldoutUntil) > now);

export const untilChoices = ['changed', 'hour', 'today', 'tomorrow'] as const;
export type UntilChoice = (typeof untilChoices)[number];

/** When a choice ends, in the time zone of whoever chooses; null for none. */
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

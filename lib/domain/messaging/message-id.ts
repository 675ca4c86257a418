import { randomBytes } from 'node:crypto';

const timeLength = 9;
const restLength = 22;
const pattern = /^msg_t([0-9a-z]{9})([0-9a-f]{22})$/;

/** The latest possible time, because time stamps have four-digit years. */
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The position of a new message. */
export interface MessagePosition {
  readonly id: string;
  readonly createdAt: string;
}

/** The newest stored message. */
export interface NewestMessage {
  /** The time of the newest message. */
  readonly createdAt?: string | undefined;
  /** The newest id that the service has made in the conversation, even if its message does not exist. */
  readonly madeId?: string | undefined;
}

/**
 * The position after all messages of a conversation, independent of clocks. Its time is later than theirs. Its id sorts
 * after all ids that the service has made there (lib/spec/additions.md section 3). Ids start with their time.
 * @param now milliseconds since 1970
 */
export function nextMessagePosition({ createdAt, madeId }: NewestMessage, now: number): MessagePosition {
  const match = madeId === undefined ? null : pattern.exec(madeId);
  const previousTime = match ? Number.parseInt(match[1] ?? '', 36) : 0;
  const time = Math.min(latestTime, Math.max(now, createdAt ? Date.parse(createdAt) + 1 : 0, previousTime + 1));
  const text = time.toString(36).padStart(timeLength, '0');
  // Two messages can have the same time only at the latest possible time.
  const rest = match && previousTime === time ? following(match[2] ?? '') : randomBytes(restLength / 2).toString('hex');
  return { id: `msg_t${text}${rest}`, createdAt: new Date(time).toISOString() };
}

const following = (hex: string): string => (BigInt(`0x${hex}`) + 1n).toString(16).padStart(restLength, '0');

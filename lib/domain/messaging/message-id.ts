import { randomBytes } from 'node:crypto';

const timeLength = 9;
const restLength = 22;
const pattern = /^msg_t([0-9a-z]{9})([0-9a-f]{22})$/;

/** A time stamp has four digits of the year, so nothing is later. */
export const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The position of a new message. */
export interface MessagePosition {
  readonly id: string;
  readonly createdAt: string;
}

/** The newest message that is stored. */
export interface NewestMessage {
  /** The time of the newest message. */
  readonly createdAt?: string | undefined;
  /** The newest id that the service has made in the conversation, even if its message is gone. */
  readonly madeId?: string | undefined;
}

/**
 * The place behind all messages of a conversation, whatever the clocks say: its time is later than theirs, and its id
 * sorts after every id that the service has made there (lib/spec/additions.md section 3). Ids begin with their time, and
 * with a letter that no id of an earlier version reaches.
 * @param now milliseconds since 1970
 */
export function nextMessagePosition({ createdAt, madeId }: NewestMessage, now: number): MessagePosition {
  const made = madeId === undefined ? null : pattern.exec(madeId);
  const madeAt = made ? Number.parseInt(made[1] ?? '', 36) : 0;
  const time = Math.min(lastMoment, Math.max(now, createdAt ? Date.parse(createdAt) + 1 : 0, madeAt + 1));
  const text = time.toString(36).padStart(timeLength, '0');
  // Only at the very last moment can two messages have one time.
  const rest = made && madeAt === time ? following(made[2] ?? '') : randomBytes(restLength / 2).toString('hex');
  return { id: `msg_t${text}${rest}`, createdAt: new Date(time).toISOString() };
}

const following = (hex: string): string => (BigInt(`0x${hex}`) + 1n).toString(16).padStart(restLength, '0');

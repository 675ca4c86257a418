import type { ReplyEvent } from './reply-event.ts';

/** Line ends to some readers of lines, though not to those of this format (lib/spec/decisions.md section 7). */
const strangeLineEnds = /[\u0085\u2028\u2029]/g;

/** An event as it goes over the wire: one line of data and a blank one, nothing else. */
export const eventFrame = (event: ReplyEvent): string =>
  `data: ${JSON.stringify(event).replaceAll(strangeLineEnds, escaped)}\n\n`;

/** A comment, which keeps connections alive and which readers skip. */
export const pingFrame = ': ping\n\n';

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

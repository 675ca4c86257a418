import type { ReplyEvent } from './reply-event.ts';

/** NEL, LS and PS are legal in SSE data, but some line readers split on them (lib/spec/decisions.md section 7). */
const unicodeLineEnds = /[\u0085\u2028\u2029]/g;

/** An event in wire format: one data line and a blank line. */
export const eventFrame = (event: ReplyEvent): string =>
  `data: ${JSON.stringify(event).replaceAll(unicodeLineEnds, escaped)}\n\n`;

/** A comment that keeps the connection alive. Clients ignore it. */
export const pingFrame = ': ping\n\n';

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

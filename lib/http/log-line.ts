const bytesMax = 32 * 1_024;
/** Bounds for each text of a line. The next bound applies when the line is still too long. */
const textBounds = [4_000, 400, 40] as const;
const itemsMax = 50;

const removed = '[removed]';
/** Secrets that the service generates. They are removed from every text of a log line. */
const generatedSecret = /ws[kst]_[0-9A-Za-z]{8,}/g;
/**
 * Line ends, control characters and direction marks. JSON does not escape them, but terminals and log viewers interpret
 * them.
 */
const unsafe = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** One log entry as one line of JSON, at most 32 KB. */
export function logLine(entry: Readonly<Record<string, unknown>>): string {
  for (const bound of textBounds) {
    const line = JSON.stringify(entry, bounded(bound)).replaceAll(unsafe, escaped);
    if (Buffer.byteLength(line) <= bytesMax) return line;
  }
  const { level, time, requestId } = entry;
  return JSON.stringify({ level, time, requestId, message: 'An entry was too long for the log.' });
}

const bounded =
  (charactersMax: number) =>
  (_name: string, value: unknown): unknown => {
    if (typeof value === 'string') return cut(value.replaceAll(generatedSecret, removed), charactersMax);
    return Array.isArray(value) && value.length > itemsMax ? value.slice(0, itemsMax) : value;
  };

const cut = (text: string, charactersMax: number): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A text without secrets. Callers choose most of their credentials, so this must not be used on members that the service
 * sets: a cookie could remove them.
 */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((safe, secret) => safe.replaceAll(secret, removed), text);

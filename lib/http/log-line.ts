const bytesMax = 32 * 1_024;
/** Bounds for each text of a line. The next bound applies when the line is still too long. */
const textBounds = [4_000, 400, 40] as const;
const itemsMax = 50;

/** Secrets that the service generates. They are removed everywhere in a log line. */
const generatedSecret = /ws[kst]_[0-9A-Za-z]{8,}/g;
/**
 * Line ends, control characters and direction marks. JSON does not escape them, but terminals and log viewers interpret
 * them.
 */
const unsafe = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * One log entry as one line of JSON, at most 32 KB.
 * @param credentials the credentials of the caller, which are removed as a safety net: no entry should contain one
 */
export function logLine(entry: Readonly<Record<string, unknown>>, credentials: readonly string[] = []): string {
  for (const bound of textBounds) {
    const line = withoutSecrets(JSON.stringify(entry, bounded(bound)).replaceAll(unsafe, escaped), credentials);
    if (Buffer.byteLength(line) <= bytesMax) return line;
  }
  const { level, time, requestId } = entry;
  return JSON.stringify({ level, time, requestId, message: 'An entry was too long for the log.' });
}

const bounded =
  (charactersMax: number) =>
  (_name: string, value: unknown): unknown => {
    if (typeof value === 'string' && value.length > charactersMax) return `${value.slice(0, charactersMax)}…`;
    return Array.isArray(value) && value.length > itemsMax ? value.slice(0, itemsMax) : value;
  };

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function withoutSecrets(line: string, credentials: readonly string[]): string {
  let safe = line.replaceAll(generatedSecret, '[removed]');
  for (const credential of credentials) {
    safe = safe.replaceAll(JSON.stringify(credential).slice(1, -1), '[removed]');
  }
  return safe;
}

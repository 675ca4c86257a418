/** Each stage has its own namespace. */
const namespace = process.env['METRIC_NAMESPACE'] ?? 'WorkspaceApi';

/** Functions share a log. A request's line names its route instead. */
export const functionName = (): string | undefined => process.env['AWS_LAMBDA_FUNCTION_NAME'];

export function writeLine(entry: Readonly<Record<string, unknown>>): void {
  if (process.env['LOG_LEVEL'] !== 'silent') process.stdout.write(`${logLine(entry)}\n`);
}

const causesMax = 5;

/** An error and its causes, without credentials. */
export const describedCauses = (error: unknown, credentials: readonly string[], max = causesMax): object[] => {
  if (!(error instanceof Error) || max === 0) return [];
  const { name, message, stack = '' } = error;
  const safe = { name, message: withoutSecrets(message, credentials), stack: withoutSecrets(stack, credentials) };
  return [safe, ...describedCauses(error.cause, credentials, max - 1)];
};

/** The metrics in log lines (CloudWatch embedded metric format): numbers, but for the time. */
type MetricName =
  | 'Latency'
  | StatusMetric
  | 'ReadUnits'
  | 'WriteUnits'
  | 'AiTokens'
  | 'AiReplyFailures'
  | 'Mails'
  | 'Webhooks';
export type StatusMetric = 'Status2xx' | 'Status4xx' | 'Status5xx';
export type Metrics = { readonly [Name in MetricName]?: number | undefined };

/**
 * The properties of a log line from which CloudWatch makes metrics, at no cost for the request.
 * @param route the path of an endpoint, or the name of a function that answers no requests
 */
export function metricMembers(route: string, metrics: Metrics): Readonly<Record<string, unknown>> {
  const defined = Object.entries(metrics).filter(([, value]) => value !== undefined);
  if (defined.length === 0) return {};
  const Metrics = defined.map(([Name]) => ({ Name, ...(Name === 'Latency' && { Unit: 'Milliseconds' }) }));
  return {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [['route']], Metrics }],
    },
    route,
    ...Object.fromEntries(defined),
  };
}

const lineBytesMax = 32 * 1_024;
/** Bounds for each text of a line. The next bound applies when the line is still too long. */
const textBounds = [4_000, 400, 40] as const;
const itemsMax = 50;

const removed = '[removed]';
/** Secrets that the service generates. They are removed from every text of a log line. */
const generatedSecret = /ws[kst]_[0-9A-Za-z]{8,}/g;
/** Line ends, controls and direction marks: JSON escapes none, but terminals and log viewers interpret them. */
const unsafe = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** One log entry as one line of JSON, at most 32 KB. */
function logLine(entry: Readonly<Record<string, unknown>>): string {
  const whole = JSON.stringify(entry);
  // A short line has no long text.
  if (whole.length <= textBounds[0]) return whole.replaceAll(generatedSecret, removed).replaceAll(unsafe, escaped);
  for (const bound of textBounds) {
    const line = JSON.stringify(entry, bounded(bound)).replaceAll(unsafe, escaped);
    if (Buffer.byteLength(line) <= lineBytesMax) return line;
  }
  const { level, time, requestId } = entry;
  return JSON.stringify({
    level,
    time,
    requestId,
    function: functionName(),
    message: 'An entry was too long for the log.',
  });
}

const bounded =
  (charactersMax: number) =>
  (_name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, itemsMax);
    if (typeof value !== 'string') return value;
    const text = value.replaceAll(generatedSecret, removed);
    return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
  };

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A text without secrets. Callers choose most of their credentials, so this must not be used on members that the service
 * sets: a cookie could remove them.
 */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((safe, secret) => safe.replaceAll(secret, removed), text);

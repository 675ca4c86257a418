/** Metrics in log lines (CloudWatch embedded metric format), by their names and units. */
const units = {
  Latency: 'Milliseconds',
  Status2xx: 'Count',
  Status4xx: 'Count',
  Status5xx: 'Count',
  ReadUnits: 'Count',
  WriteUnits: 'Count',
  AiTokens: 'Count',
  AiReplyFailures: 'Count',
  Mails: 'Count',
} as const;

export type Metrics = { readonly [Name in keyof typeof units]?: number | undefined };

const dimension = 'Route';

/**
 * The properties of a log line from which CloudWatch makes metrics, at no cost for the request.
 * @param namespace of the stage's metrics
 * @param route the path of an endpoint, or the name of a function that answers no requests
 */
export function metricMembers(namespace: string, route: string, metrics: Metrics): Readonly<Record<string, unknown>> {
  const defined = Object.entries(metrics).filter(([, value]) => value !== undefined);
  const Metrics = defined.map(([Name]) => ({ Name, Unit: units[Name as keyof Metrics] }));
  return {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [[dimension]], Metrics }],
    },
    [dimension]: route,
    ...Object.fromEntries(defined),
  };
}

/** 304 is a success. */
export const statusMetrics = (status: number): Metrics => ({
  Status2xx: Number(status < 400),
  Status4xx: Number(status >= 400 && status < 500),
  Status5xx: Number(status >= 500),
});

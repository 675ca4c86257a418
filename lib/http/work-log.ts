import { describedCauses, functionName, type Metrics, metricMembers, writeLine } from './log-line.ts';

/** Logs an error outside of the handling of a request, with its causes. */
export const logError = (message: string, error: unknown): void =>
  logWork('error', message, { causes: describedCauses(error, []) });

/**
 * Logs one line about work outside of a request.
 * @param measured the metrics, and their function or route
 */
export function logWork(
  level: 'info' | 'warn' | 'error',
  message: string,
  about: Readonly<Record<string, unknown>>,
  measured?: { readonly route: string; readonly metrics: Metrics },
): void {
  const metrics = measured && metricMembers(measured.route, measured.metrics);
  writeLine({ level, time: new Date().toISOString(), function: functionName(), message, ...about, ...metrics });
}

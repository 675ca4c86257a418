import { milliseconds } from '#lib/table/clock.ts';
import type { HttpError } from './errors.ts';
import type { ApiEvent, Exchange } from './exchange.ts';

/** Last net: whatever looks like one of our secrets is cut from a line, although none is ever put there. */
const withoutSecrets = (line: string): string => line.replaceAll(/wsk_[0-9A-Za-z]{8,}/g, 'wsk_[removed]');

const silent = process.env['LOG_LEVEL'] === 'silent';

function write(entry: Record<string, unknown>): void {
  if (!silent) process.stdout.write(`${withoutSecrets(JSON.stringify(entry))}\n`);
}

/** One line for each request: who, what, how it ended, what it cost. Neither query strings nor bodies nor keys. */
export function logRequest(route: string, { exchange }: ApiEvent, status: number, code?: string): void {
  write({
    level: status >= 500 ? 'error' : 'info',
    time: new Date().toISOString(),
    ...subject(route, exchange),
    status,
    code,
    milliseconds: Math.round(milliseconds() - exchange.startedAt),
    dynamodb: exchange.meter,
  });
}

/** The cause of a 5xx, or of an answer that broke off: its name and stack, and those of what caused it. */
export function logFailure(
  route: string,
  { exchange }: ApiEvent,
  answered: Pick<HttpError, 'code'>,
  error: unknown,
): void {
  write({
    level: 'error',
    time: new Date().toISOString(),
    ...subject(route, exchange),
    code: answered.code,
    causes: causesOf(error).map(({ name, message, stack }) => ({ name, message, stack })),
  });
}

/** One line about work that no request has asked for. */
export function logWork(level: 'info' | 'warn' | 'error', message: string, about: Record<string, unknown>): void {
  write({ level, time: new Date().toISOString(), message, ...about });
}

const subject = (route: string, { requestId, method, principal }: Exchange) => ({
  requestId,
  route,
  method,
  workspaceId: principal?.workspaceId,
  keyId: principal?.keyId,
});

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

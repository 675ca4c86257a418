import { lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { numericHost, type WebhookTargets } from './addresses.ts';
import type { signatureHeaders } from './signature.ts';

export type SendError = 'timeout' | 'connection' | 'tls' | 'dns' | 'blocked_address' | 'http_status' | 'too_large';

/** What came of an attempt. Nothing of the receiver's answer but its status is kept. */
export interface SendResult {
  /** Null if no status has arrived. */
  readonly httpStatus: number | null;
  /** Null after success: a status from 200 to 299, and the end of the answer in time. */
  readonly error: SendError | null;
  readonly milliseconds: number;
  /** How long the receiver wants no request, from 0 to a day; of statuses 429 and 503. */
  readonly retryAfterSeconds?: number;
}

export interface Sending {
  readonly url: string;
  readonly headers: ReturnType<typeof signatureHeaders>;
  /** JSON. */
  readonly body: string;
  /** Ends the attempt for a reason of the caller. */
  readonly signal?: AbortSignal;
  readonly allows: WebhookTargets['allows'];
  /** @default 15 s, for the whole attempt */
  readonly deadlineMilliseconds?: number;
  /** Resolves names. @default the resolver of the system */
  readonly resolve?: typeof lookup;
}

const answerBytesMax = 64 * 1024;
const secondsMax = 24 * 60 * 60;
/** Each address of a name gets this time to connect, the last one all that is left. */
const connecting = { autoSelectFamilyAttemptTimeout: 2_500 };

/**
 * Sends one request of a webhook. It follows no redirect and uses no proxy.
 * @throws the reason of `signal`
 */
export async function sendWebhook(sending: Sending): Promise<SendResult> {
  const { signal, deadlineMilliseconds = 15_000 } = sending;
  signal?.throwIfAborted();
  const begun = performance.now();
  const deadline = AbortSignal.timeout(deadlineMilliseconds);
  let status: number | null = null;
  let result: Pick<SendResult, 'error' | 'retryAfterSeconds'>;
  try {
    const answer = await answerTo(sending, signal ? AbortSignal.any([signal, deadline]) : deadline);
    status = answer.statusCode ?? 0;
    result = await judged(answer, status);
  } catch (error) {
    signal?.throwIfAborted();
    result = { error: deadline.aborted ? 'timeout' : errorOf(error) };
  }
  return { httpStatus: status, ...result, milliseconds: Math.round(performance.now() - begun) };
}

/** Resolves when status and headers have arrived. */
function answerTo(sending: Sending, signal: AbortSignal): Promise<http.IncomingMessage> {
  const { headers, body, allows, resolve: resolver = lookup } = sending;
  const url = new URL(sending.url);
  const number = numericHost(url);
  // Node resolves no number, so the check of names does not see it.
  if (number !== undefined && !allows(number)) throw new BlockedAddress();
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const request = (url.protocol === 'http:' ? http : https).request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'workspace-api', ...headers },
    signal,
    // An agent of its own has no proxy, and no connection whose address was checked for another webhook.
    agent: false,
    lookup: checkedLookup(resolver, allows),
    ...connecting,
    rejectUnauthorized: true,
  });
  request.on('response', resolve);
  request.on('error', (error) => reject(isRefusedCertificate(request.socket) ? new RefusedCertificate() : error));
  // A receiver that changes the protocol gets no error, only its end.
  request.on('close', () => reject(new Error('The connection has ended without an answer.')));
  request.end(body);
  return promise;
}

/**
 * Resolves a name, and gives only checked addresses to the connection, which resolves no second time. So a name cannot
 * have another address then.
 */
const checkedLookup =
  (resolver: typeof lookup, allows: Sending['allows']): LookupFunction =>
  (hostname, options, done) =>
    resolver(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) done(error, []);
      else if (addresses.every(({ address }) => allows(address))) done(null, addresses);
      else done(new BlockedAddress(), []);
    });

async function judged(
  answer: http.IncomingMessage,
  status: number,
): Promise<Pick<SendResult, 'error' | 'retryAfterSeconds'>> {
  if (status >= 200 && status < 300) {
    let bytes = 0;
    // The end of the loop closes the connection.
    for await (const piece of answer) {
      bytes += (piece as Buffer).length;
      if (bytes > answerBytesMax) return { error: 'too_large' };
    }
    return { error: null };
  }
  answer.destroy();
  const seconds = status === 429 || status === 503 ? secondsOf(answer.headers['retry-after']) : undefined;
  return { error: 'http_status', ...(seconds !== undefined && { retryAfterSeconds: Math.min(seconds, secondsMax) }) };
}

/** The value of `Retry-After`: seconds, or a date of HTTP. */
function secondsOf(header = ''): number | undefined {
  if (/^\d+$/.test(header)) return Number(header);
  const time = /^[A-Z][a-z]{2,8}, .{18,20} GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1_000));
}

class BlockedAddress extends Error {}
class RefusedCertificate extends Error {}

const isRefusedCertificate = (socket: object | null): boolean =>
  socket !== null && 'authorizationError' in socket && Boolean(socket.authorizationError);

function errorOf(error: unknown): SendError {
  if (error instanceof BlockedAddress) return 'blocked_address';
  if (error instanceof RefusedCertificate) return 'tls';
  const { code = '', syscall } = error as { readonly code?: string; readonly syscall?: string };
  if (syscall === 'getaddrinfo') return 'dns';
  if (code === 'HPE_HEADER_OVERFLOW') return 'too_large';
  return code === 'EPROTO' || /^ERR_(?:SSL|TLS)_/.test(code) ? 'tls' : 'connection';
}

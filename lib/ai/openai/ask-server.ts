import { setTimeout as pause } from 'node:timers/promises';
import { Secret } from '#lib/secrets/secret.ts';
import { codeOfStatus, type EngineRequest, ModelError, type OpenAiSettings } from '../engine.ts';
import type { ModelCall } from '../model-call.ts';
import { type Dialect, firstDialect, nextDialect } from './dialect.ts';
import { openAiBody } from './openai-request.ts';

/** A failure before the first byte is retried, unless Retry-After is longer than this. */
const retryMillisecondsMax = 5_000;
const retryMilliseconds = 500;
/** Each parameter can be refused once, and the token limit can be renamed. */
const dialectsMax = 4;
const refusalBytesMax = 65_536;

/** The dialect of each model, found by the container's first call. */
const dialects = new Map<string, Dialect>();
const cachedDialectsMax = 100;

/**
 * Calls the server. Retries once after a transient error. It also retries with a new key after a refused one, and
 * without parameters that the model refuses.
 * @throws ModelError for every answer but 200; errors of the connection
 */
export async function askServer(
  call: ModelCall,
  address: string,
  settings: OpenAiSettings,
  request: EngineRequest,
): Promise<AsyncIterable<Uint8Array>> {
  const name = [address, request.model, JSON.stringify(request.dialect)].join(' ');
  let dialect = dialects.get(name) ?? firstDialect(request.model, address, request.dialect);
  let key = await openAiKey(settings);
  let left = { retries: 1, keys: 1, dialects: dialectsMax };
  for (;;) {
    const outcome = await attempt(call, address, openAiBody(request, dialect), headersWith(key, request));
    if ('body' in outcome) {
      if (dialects.size < cachedDialectsMax) dialects.set(name, dialect);
      return outcome.body;
    }
    const next = outcome.status === 400 && left.dialects > 0 ? nextDialect(dialect, outcome.text) : undefined;
    const current = isRefusedKey(outcome.status) && left.keys > 0 ? await openAiKey(settings, key) : key;
    if (next) {
      dialect = next;
      left = { ...left, dialects: left.dialects - 1 };
    } else if (current !== key) {
      key = current;
      left = { ...left, keys: 0 };
    } else if (outcome.wait <= retryMillisecondsMax && left.retries > 0) {
      left = { ...left, retries: 0 };
      call.pause();
      await pause(outcome.wait, undefined, { signal: call.signal });
      call.progress();
    } else throw outcome.error;
  }
}

type Outcome =
  | { readonly body: AsyncIterable<Uint8Array> }
  /** `wait` is the pause before a retry in milliseconds; infinite for no retry. */
  | { readonly status: number; readonly text: string; readonly wait: number; readonly error: unknown };

async function attempt(
  call: ModelCall,
  address: string,
  body: string,
  headers: Record<string, string>,
): Promise<Outcome> {
  let answer: Response;
  try {
    answer = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal: call.signal });
  } catch (error) {
    return { status: 0, text: '', wait: call.signal.aborted ? Number.POSITIVE_INFINITY : retryMilliseconds, error };
  }
  const { status } = answer;
  if (status === 200 && answer.body) return { body: answer.body };
  const text = status === 400 ? await startOf(answer) : '';
  await answer.body?.cancel().catch(() => undefined);
  const error = new ModelError(codeOfStatus(status), `The model's server answered ${status}.`);
  return { status, text, wait: waitAfter(answer), error };
}

/** Reads the start of an error, which is only searched for parameter names and never stored. */
async function startOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > refusalBytesMax) break;
  }
  return text;
}

function waitAfter({ status, headers }: Response): number {
  if (status !== 429 && status < 500) return Number.POSITIVE_INFINITY;
  const header = headers.get('retry-after');
  // A date in the header is treated as too long.
  return header === null ? retryMilliseconds : /^\d{1,4}$/.test(header) ? Number(header) * 1_000 : Infinity;
}

const headersWith = (key: string | undefined, { traceparent }: EngineRequest): Record<string, string> => ({
  accept: 'text/event-stream',
  'content-type': 'application/json',
  ...(key !== undefined && { authorization: `Bearer ${key}` }),
  ...(traceparent !== undefined && { traceparent }),
});

const isRefusedKey = (status: number): boolean => status === 401 || status === 403;

/** Secrets by ARN. A deployment has at most one. */
const secrets = new Map<string, Secret>();

/**
 * The key for the server of the model: from the environment, or from the secret that the environment names.
 * @param refused the key that the server has just refused. The secret is then reread, at most every ten seconds, so
 * that a new key needs no deployment
 * @returns undefined if the server needs no key
 * @throws ModelError when the secret cannot be read
 */
export async function openAiKey(
  { apiKey, apiKeySecret }: Pick<OpenAiSettings, 'apiKey' | 'apiKeySecret'>,
  refused?: string,
): Promise<string | undefined> {
  if (apiKey !== undefined || apiKeySecret === undefined) return apiKey;
  const secret = secrets.get(apiKeySecret) ?? new Secret(apiKeySecret);
  secrets.set(apiKeySecret, secret);
  const [key] = await read(secret.values());
  if (refused === undefined || key?.trim() !== refused) return key?.trim();
  const [current] = await read(secret.reread());
  return current?.trim();
}

const read = (values: Promise<readonly string[]>): Promise<readonly string[]> =>
  values.catch(() => {
    throw new ModelError('unavailable', "The secret with the key of the model's server cannot be read.");
  });

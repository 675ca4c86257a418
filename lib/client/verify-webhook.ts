import type { WorkspaceEvent } from './types.ts';

/** What a webhook sends. */
export interface WebhookEvent {
  /** The event's id: the same in every attempt, so that a receiver knows what it has already handled. */
  readonly id: string;
  readonly type: string;
  /** When the change happened, as RFC 3339. */
  readonly timestamp: string;
  readonly data: Pick<WorkspaceEvent, 'kind' | 'recordId' | 'changed' | 'actor'> & {
    readonly workspaceId: string;
    /** As the webhook's key saw it when the attempt was made; null if it is gone. Absent if it is too long. */
    readonly record?: Readonly<Record<string, unknown>> | null;
    readonly truncated?: true;
  };
}

/** The request is not a recent one of a webhook with this secret, or was changed on its way. Answer it with 400. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

/** The headers of a request, as a server has them. Upper and lower case are the same. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const toleranceSeconds = 5 * 60;

/**
 * Verifies a request of a webhook (Standard Webhooks 1.0.0). It needs Web Crypto alone: Node, browsers, workers.
 * @param body exactly as received, before anything parses it
 * @param secrets that of the webhook; while it changes, the old and the new one
 * @throws WebhookRefused @throws TypeError if a secret is none
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secrets: string | readonly string[],
): Promise<WebhookEvent> {
  const keys = await Promise.all([secrets].flat().map(keyOf));
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookRefused('The request has no signature.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookRefused('The signature is too old, or of a later time.');
  }
  const bytes = new Blob([body as Uint8Array<ArrayBuffer>]);
  const signed = await new Blob([`${id}.${timestamp}.`, bytes]).arrayBuffer();
  if (!(await isSigned(signed, keys, signatures))) throw new WebhookRefused('No signature is right.');
  return { ...JSON.parse(await bytes.text()), id };
}

async function isSigned(signed: ArrayBuffer, keys: readonly Key[], header: string): Promise<boolean> {
  const signatures = header
    .split(' ')
    .filter((text) => text.startsWith('v1,'))
    .flatMap((text) => bytesOf(text.slice('v1,'.length)) ?? []);
  for (const key of keys) {
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

function keyOf(secret: string): Promise<Key> {
  const bytes = secret.startsWith(prefix) ? bytesOf(secret.slice(prefix.length)) : undefined;
  // An empty key would verify what anybody signs.
  if (!bytes || bytes.length < 24) throw new TypeError(`A secret is ${prefix} and Base64.`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

const prefix = 'whsec_';

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([own]) => own.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

/** @returns undefined for a text that is not Base64 */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

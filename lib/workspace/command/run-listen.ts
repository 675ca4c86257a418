import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '#lib/client/api-error.ts';
import { segment, Transport } from '#lib/client/transport.ts';
import type { EventPage, MessagePage, WorkspaceEvent } from '#lib/client/types.ts';
import { Failure } from '#lib/domain/failure.ts';
import { requestBody } from '#lib/webhooks/request-body.ts';
import { type SendResult, sendWebhook } from '#lib/webhooks/send.ts';
import { secretText, signatureHeaders } from '#lib/webhooks/signature.ts';
import { escapeControlCharacters } from '../escape-control-characters.ts';
import { type Arguments, UsageError } from './arguments.ts';
import type { Target } from './connection.ts';
import type { Terminal } from './terminal.ts';

// `webhook listen`: requests like those of a webhook, for a receiver that has no public address yet.

export const listenOptions = {
  url: { type: 'string' },
  key: { type: 'string' },
  forward: { type: 'string' },
  types: { type: 'string' },
  workspace: { type: 'string' },
} as const;

/** @throws UsageError */
export function listenCommand(args: Arguments) {
  const forward = args.required('forward');
  if (!/^https?:\/\/[^/]/i.test(forward) || !URL.canParse(forward)) {
    throw new UsageError(`--forward must be an address such as http://127.0.0.1:4000/hook, not ${forward}.`);
  }
  // By default the one that the key reads.
  const workspaceId = args.optional('workspace') === undefined ? undefined : args.workspaceId();
  return { key: args.required('key'), forward, types: args.optional('types'), workspaceId };
}

type ListenCommand = ReturnType<typeof listenCommand> & { readonly target: Target };

const pollMilliseconds = 1_000;
const faultMilliseconds = 5_000;

/** Forwards events until the program is interrupted. @throws Failure for what a later attempt does not change */
export async function runListen(command: ListenCommand, terminal: Terminal): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
  await new Listener(command, terminal).follow();
}

class Listener {
  readonly #command: ListenCommand;
  readonly #terminal: Terminal;
  readonly #transport: Transport;
  readonly #secret = randomBytes(32);

  constructor(command: ListenCommand, terminal: Terminal) {
    this.#command = command;
    this.#terminal = terminal;
    this.#transport = new Transport({ baseUrl: command.target.url, apiKey: command.key });
  }

  async follow(): Promise<never> {
    const workspaceId = this.#command.workspaceId ?? (await this.#workspaceId());
    let after = await this.#now();
    this.#terminal.print('The secret of this run:');
    this.#terminal.print(secretText(this.#secret));
    this.#terminal.note(`Forwarding events of ${workspaceId} to ${this.#command.forward}. Ctrl-C ends this.`);
    for (;;) {
      try {
        const query = { after, types: this.#command.types, limit: 100 };
        const page = await this.#transport.get<EventPage>('/api/v1/events', query);
        for (const event of page.data) {
          await this.#forward(event, workspaceId);
          after = event.id;
        }
        after = page.next;
        if (!page.hasMore) await pause(pollMilliseconds);
      } catch (error) {
        if (isRefusal(error)) throw this.#failure(error);
        this.#terminal.note(`${this.#failure(error).message} Trying again.`);
        await pause(faultMilliseconds);
      }
    }
  }

  async #workspaceId(): Promise<string> {
    try {
      return (await this.#transport.get<{ readonly id: string }>('/api/v1/manage/workspace')).id;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) throw this.#failure(error);
      throw new Failure('The key may not read the workspace. Give its id with --workspace.');
    }
  }

  /** The time of the service, from which it has events for us. Also finds out whether it accepts key and types. */
  async #now(): Promise<string> {
    const query = { types: this.#command.types, after: new Date().toISOString(), limit: 1 };
    try {
      const { headers } = await this.#transport.send({ method: 'GET', path: '/api/v1/events', query });
      const date = headers.get('date');
      return date === null ? query.after : new Date(date).toISOString();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  async #forward(event: WorkspaceEvent, workspaceId: string): Promise<void> {
    const body = requestBody(event, workspaceId, await this.#recordOf(event));
    const timestamp = Math.floor(Date.now() / 1_000);
    const headers = signatureHeaders({ id: event.id, timestamp, body, secrets: [this.#secret] });
    // The receiver is the caller's own, wherever it is.
    const result = await sendWebhook({ url: this.#command.forward, headers, body, allows: () => true });
    const line = `${event.at}  ${event.type}  ${event.recordId}  ${outcomeOf(result)}`;
    this.#terminal.print(escapeControlCharacters(line));
  }

  /** The record as the key sees it; null if it is gone, or the key may not read it. */
  async #recordOf({ kind, recordId }: WorkspaceEvent): Promise<object | null> {
    const path = recordId.split('/').map(segment);
    try {
      if (kind === 'workspace') return await this.#transport.get('/api/v1/manage/workspace');
      if (kind === 'conversations') return await this.#transport.get(`/api/v1/connect/conversations/${path[0]}`);
      if (kind === 'messages') return await this.#messageOf(recordId);
      return await this.#transport.get(['/api/v1/manage', kind, ...path].join('/'));
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return null;
      throw error;
    }
  }

  async #messageOf(recordId: string): Promise<object | null> {
    const [conversationId = '', messageId] = recordId.split('/');
    const path = `/api/v1/connect/conversations/${segment(conversationId)}/messages`;
    for (let before: string | undefined; ; ) {
      const { data, hasMore }: MessagePage = await this.#transport.get(path, { limit: 100, before });
      const found = data.find(({ id }) => id === messageId);
      if (found || !hasMore) return found ?? null;
      before = data[0]?.id;
    }
  }

  #failure(error: unknown): Error {
    if (error instanceof ApiError) return new Failure(`The service answers ${error.status}: ${error.message}`);
    return new Failure(
      `${this.#command.target.url} does not answer: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/** A later attempt would be refused, too. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

const outcomeOf = ({ httpStatus, error, milliseconds }: SendResult): string =>
  `${error === null || error === 'http_status' ? httpStatus : error}, ${milliseconds} ms`;

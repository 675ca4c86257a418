import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { startBedrockServer } from '#test/support/bedrock-server.ts';
import type { ModelServer, Script } from '#test/support/model-server.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import { projectFolder, type Workbench } from './workbench.ts';

/** The first word of every model, which is easy to find in any wire format. */
const firstWord = 'Saffron';
const secret = 'bench-key-of-the-desk';
const conversations = 400;

/** A model server with a fixed pace, called directly, without the service. */
export interface Model {
  readonly wire: 'openai' | 'bedrock';
  readonly server: ModelServer;
  readonly path: string;
  readonly body: object;
}

export async function startModels(bench: Workbench): Promise<readonly Model[]> {
  const [openai, bedrock] = await Promise.all([startOpenAiServer(), startBedrockServer()]);
  bench.running.defer(() => Promise.all([openai.close(), bedrock.close()]).then(() => undefined));
  const messages = [{ role: 'user', content: 'Hello?' }];
  return [
    { wire: 'openai', server: openai, path: '/v1/chat/completions', body: { stream: true, messages } },
    { wire: 'bedrock', server: bedrock, path: '/model/bench/converse-stream', body: {} },
  ];
}

/** A model's output of this number of tokens, four letters each. */
export const scriptOf = (tokens: number, pause: number): Script => ({
  say: [firstWord, ...Array.from({ length: tokens - 1 }, () => ' abc')],
  pause,
});

/** A service with agents of all models, and conversations without replies. */
export class ChatService {
  readonly local: LocalService;
  #asked = 0;

  private constructor(local: LocalService) {
    this.local = local;
  }

  static async start(bench: Workbench, models: readonly Model[], environment: NodeJS.ProcessEnv = {}) {
    const file = join(bench.folder, 'chat.json');
    await writeFile(file, JSON.stringify(documentOf(models)));
    const urlOf = (wire: Model['wire']) => models.find((model) => model.wire === wire)?.server.url;
    const local = await startLocalService(bench, {
      workspaces: [file],
      watchedBy: join(projectFolder, 'test/bench/call-times.ts'),
      environment: {
        OPENAI_BASE_URL: urlOf('openai'),
        AWS_ENDPOINT_URL_BEDROCK_RUNTIME: urlOf('bedrock'),
        ...environment,
      },
    });
    return new ChatService(local);
  }

  /** Requests the reply to a message without one. */
  ask(wire: Model['wire']): Promise<Streamed> {
    this.#asked++;
    return this.repeat(wire);
  }

  /** Requests the last reply again. */
  repeat(wire: Model['wire']): Promise<Streamed> {
    const agentId = `agent_${wire}`;
    const conversationId = `conv_${this.#asked}`;
    const body = { agentId, conversationId, lastMessageId: `msg_${this.#asked}` };
    return stream(`${this.local.url}/api/v1/connect/ai-stream`, body, { authorization: `Bearer ${secret}` });
  }
}

/** Calls a model directly. */
export const askModel = ({ server, path, body }: Model): Promise<Streamed> =>
  stream(new URL(path, server.url).href, body);

/** A stream whose first word has arrived. */
export interface Streamed {
  /** Milliseconds until the first word. */
  readonly milliseconds: number;
  /** The text, and all bytes of the connection, after the end of the stream. */
  readonly ended: Promise<{ readonly text: string; readonly bytes: number; readonly milliseconds: number }>;
}

/** @throws when the stream ends without its first word */
async function stream(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Streamed> {
  const calledAt = performance.now();
  const call = request(url, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  call.end(JSON.stringify(body));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const spoken = Promise.withResolvers<number>();
  let text = '';
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    if (text.length - piece.length < 2_000 && text.includes(firstWord)) spoken.resolve(performance.now() - calledAt);
  });
  const ended = once(response, 'end').then(() => {
    spoken.reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 300)}`));
    return { text, bytes: call.socket?.bytesRead ?? 0, milliseconds: performance.now() - calledAt };
  });
  return { milliseconds: await spoken.promise, ended };
}

function documentOf(models: readonly Model[]) {
  const permissions = ['messaging:conversation:engage'];
  const numbers = Array.from({ length: conversations }, (_, index) => index + 1);
  return {
    version: 1,
    workspace: { id: 'chat', name: 'Chat', languages: ['en'], defaultLanguage: 'en', currency: 'SAR' },
    members: [{ id: 'desk', name: 'Desk', permissions }],
    apiKeys: [{ id: 'key', name: 'Bench', secret, memberId: 'desk', permissions }],
    messaging: {
      channels: [{ id: 'site', type: 'website', identifier: 'saffron.example' }],
      agents: models.map(({ wire }) => ({ id: `agent_${wire}`, name: 'Agent', model: `${wire}/bench` })),
      conversations: numbers.map((number) => ({ id: `conv_${number}`, channelId: 'site' })),
      messages: numbers.map((number) => ({
        id: `msg_${number}`,
        conversationId: `conv_${number}`,
        senderType: 'customer',
        senderId: 'visitor',
        text: 'What do you have?',
        createdAt: '2026-01-01T09:00:00.000Z',
      })),
    },
  };
}

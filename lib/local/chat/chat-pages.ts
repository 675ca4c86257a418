import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { parseWith } from '#lib/domain/schema-issue.ts';
import { errorAnswer, jsonAnswer } from '../answer.ts';
import { type LocalPages, PageAnswer } from '../local-pages.ts';
import { readBody } from '../request-body.ts';
import { ChatMessage, type ChatStore } from './chat-store.ts';

const bodyBytesMax = 65_536;

/** Nothing but what this server sends runs, loads or is asked on the page, whatever a message says. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A page to talk to the agents of a workspace, as a customer would: `GET /_local/chat`.
 * @param key an API key that the page proposes, such as that of the demo
 */
export function chatPages(store: ChatStore, key = ''): LocalPages {
  return {
    chat: () => file('chat.html', 'text/html', (text) => text.replace('{key}', encodeURIComponent(key))),
    'chat/page.js': () => file('chat-page.js', 'text/javascript'),
    'chat/page.css': () => file('chat-page.css', 'text/css'),
    'chat/workspace': async (request) => {
      const scope = await store.open(keyOf(request));
      return scope ? store.workspace(scope) : refused();
    },
    'POST chat/messages': async (request) => {
      const scope = await store.open(keyOf(request));
      if (!scope) return refused();
      const message = await messageIn(request);
      if (!message) return invalid();
      return (await store.add(scope, message)) ?? missing();
    },
  };
}

function file(name: string, type: string, change = (text: string) => text): PageAnswer {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  const text = change(readFileSync(new URL(name, import.meta.url), 'utf8'));
  return new PageAnswer({ ...jsonAnswer(200, null), headers, body: Buffer.from(text) });
}

const keyOf = ({ headers }: IncomingMessage): string => String(headers['x-api-key'] ?? '');

/** Only JSON: what a page of another origin may send unasked is none. */
async function messageIn(request: IncomingMessage): Promise<ChatMessage | undefined> {
  if (!/^application\/json(?:;|$)/.test(request.headers['content-type'] ?? '')) return undefined;
  const body = await readBody(request, bodyBytesMax);
  if (!body || body.length > bodyBytesMax) return undefined;
  try {
    return parseWith(ChatMessage, JSON.parse(body.bytes.toString())).value;
  } catch {
    return undefined;
  }
}

const refused = () =>
  new PageAnswer(errorAnswer(401, 'invalid_api_key', 'This key may not take part in conversations.'));
const invalid = () => new PageAnswer(errorAnswer(400, 'invalid_body', 'Send { conversationId, text } as JSON.'));
const missing = () => new PageAnswer(errorAnswer(404, 'not_found', 'Conversation not found.'));

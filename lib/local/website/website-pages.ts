import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { isObject, jsonIn } from '#lib/domain/input.ts';
import { errorAnswer, jsonAnswer, readBody } from '../http-server.ts';
import { type LocalPages, PageAnswer } from '../local-pages.ts';
import { type SiteLanguage, websiteHtml } from './website-html.ts';

/** The settings of the website's server. Its pages do not get the keys. */
export interface WebsiteOptions {
  /** The API key that reads the menu. */
  readonly siteKey: string;
  /** The API key that opens sessions of visitors. */
  readonly chatKey: string;
  /** The host of the website's channel. */
  readonly channel: string;
  /** The origin for direct uploads of files. */
  readonly filesOrigin: string;
}

const bodyBytesMax = 10_000;
const categoriesShown = 4;

/** The demo's website: pages with the chat widget, and their server. It calls the service over HTTP like any website. */
export function websitePages(options: WebsiteOptions): LocalPages {
  return {
    website: (request) => page('en', request, options),
    'website/en': (request) => page('en', request, options),
    'website/ar': (request) => page('ar', request, options),
    'website/page.css': () => file('text/css', readFileSync(new URL('page.css', import.meta.url), 'utf8')),
    'POST website/session': (request) => openSession(request, options),
  };
}

async function page(language: SiteLanguage, request: IncomingMessage, { siteKey, filesOrigin }: WebsiteOptions) {
  const service = serviceAddress(request);
  const query = { includeProducts: 'true', sortBy: 'position', sortOrder: 'asc', locale: language, fallback: '*' };
  const parameters = new URLSearchParams({ ...query, limit: `${categoriesShown}`, apiKey: siteKey });
  const response = await fetch(`${service}/api/public/menu/categories?${parameters}`);
  const { data } = response.ok
    ? ((await response.json()) as { data: Parameters<typeof websiteHtml>[2] })
    : { data: [] };
  return file('text/html', websiteHtml(language, service, data), policyWith(service, filesOrigin));
}

/** The strictest policy for the widget. It allows its script and its connections. */
const policyWith = (service: string, filesOrigin: string): string =>
  [
    "default-src 'none'",
    `script-src ${service}`,
    "style-src 'self'",
    'img-src data:',
    `connect-src 'self' ${service} ${filesOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

/** Opens a session with the server's key. It is the only endpoint that a website adds for the widget. */
async function openSession(request: IncomingMessage, { chatKey, channel }: WebsiteOptions): Promise<PageAnswer> {
  const renew = await readRenewToken(request);
  if (renew === undefined) return new PageAnswer(errorAnswer(400, 'invalid_body', 'Send {} or { renew } as JSON.'));
  const response = await fetch(`${serviceAddress(request)}/api/v1/connect/visitor-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chatKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(renew === null ? { channelIdentifier: channel } : { renew }),
  });
  return new PageAnswer(jsonAnswer(response.status, await response.json()));
}

/** @returns null for a new session, undefined for an invalid body */
async function readRenewToken(request: IncomingMessage): Promise<string | null | undefined> {
  if (!/^application\/json(?:;|$)/.test(request.headers['content-type'] ?? '')) return undefined;
  const body = await readBody(request, bodyBytesMax);
  if (!body || body.length > bodyBytesMax) return undefined;
  const sent = jsonIn(body.toString());
  if (!isObject(sent)) return undefined;
  const { renew = null } = sent;
  return renew === null || typeof renew === 'string' ? renew : undefined;
}

/** The service listens at the local address of the request. */
function serviceAddress({ socket: { localAddress = '', localPort } }: IncomingMessage): string {
  const host = localAddress.replace(/^::ffff:/, '');
  return `http://${host.includes(':') ? `[${host}]` : host}:${localPort}`;
}

function file(type: string, text: string, policy = "default-src 'none'"): PageAnswer {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  return new PageAnswer({ ...jsonAnswer(200, null), headers, body: Buffer.from(text) });
}

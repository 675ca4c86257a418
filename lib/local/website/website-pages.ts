import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { errorAnswer, jsonAnswer } from '../answer.ts';
import { type LocalPages, PageAnswer } from '../local-pages.ts';
import { readBody } from '../request-body.ts';
import { type SiteLanguage, websiteHtml } from './website-html.ts';

/** The secrets of the website's server; its pages do not get them. */
export interface WebsiteOptions {
  /** The key that reads the menu. */
  readonly siteKey: string;
  /** The key that makes the sessions of visitors. */
  readonly chatKey: string;
  /** The host of the website's channel. */
  readonly channel: string;
  /** Where files are sent directly. */
  readonly filesOrigin: string;
}

const bodyBytesMax = 10_000;
const categoriesShown = 4;

/**
 * The website of the demo: pages with the chat widget, and the server behind them. It asks the service over HTTP, as
 * the website of anybody would.
 */
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

/** All that the widget needs of a strict policy: its script, and the addresses that it asks. */
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

/** The one thing that a website adds for the widget: an address that makes a session with the key of its server. */
async function openSession(request: IncomingMessage, { chatKey, channel }: WebsiteOptions): Promise<PageAnswer> {
  const renew = await renewedToken(request);
  if (renew === undefined) return new PageAnswer(errorAnswer(400, 'invalid_body', 'Send {} or { renew } as JSON.'));
  const response = await fetch(`${serviceAddress(request)}/api/v1/connect/visitor-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chatKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(renew === null ? { channelIdentifier: channel } : { renew }),
  });
  return new PageAnswer(jsonAnswer(response.status, await response.json()));
}

/** @returns null where a new session is wanted, and undefined for anything else */
async function renewedToken(request: IncomingMessage): Promise<string | null | undefined> {
  if (!/^application\/json(?:;|$)/.test(request.headers['content-type'] ?? '')) return undefined;
  const body = await readBody(request, bodyBytesMax);
  if (!body || body.length > bodyBytesMax) return undefined;
  try {
    const { renew = null } = JSON.parse(body.bytes.toString());
    return renew === null || typeof renew === 'string' ? renew : undefined;
  } catch {
    return undefined;
  }
}

/** The service listens where the request has come in. */
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

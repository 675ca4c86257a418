import { text } from 'node:stream/consumers';

const { API_URL = 'http://127.0.0.1:3000', CHAT_KEY = '', SITE_HOST = 'localhost' } = process.env;

/** Answers `POST /chat-session` of the chat widget. The key that creates a visitor's session stays on this server. */
export async function chatSession(request, response) {
  const { 'content-type': type, 'content-length': length } = request.headers;
  // Pages of other sites cannot send JSON without permission.
  if (request.method !== 'POST' || type !== 'application/json') return response.writeHead(400).end();
  if (!(Number(length) <= 10_000)) return response.writeHead(413).end();
  const { renew } = JSON.parse(await text(request));
  // A site where visitors sign in adds `customer: { externalId, name }` from its own sign-in, never from the request.
  const answer = await fetch(`${API_URL}/api/v1/connect/visitor-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CHAT_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(typeof renew === 'string' ? { renew } : { channelIdentifier: SITE_HOST }),
  });
  response.writeHead(answer.status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(await answer.text());
}

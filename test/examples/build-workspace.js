// Builds a workspace from a document through HTTPS alone. It can be repeated: records that are there already stay.
//
//   API_URL=... API_KEY=... node build-workspace.js workspace.json
//
// The key needs the permissions to write every kind of the document. It also needs every permission of the members and
// keys in the document. Keys get new secrets, which are printed one time. Members with an address have to accept their
// membership. Conversations, messages, responses and notifications come from the use of the service and are not sent.

import { readFileSync } from 'node:fs';

const url = process.env.API_URL ?? 'http://127.0.0.1:3000';
const key = process.env.API_KEY;
const [, , file] = process.argv;
if (!key || !file) throw new Error('Give API_KEY and the path of a document.');
const document = JSON.parse(readFileSync(file, 'utf8'));

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function call(method, path, body, tries = 8) {
  const response = await fetch(`${url}/api/v1/manage/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if ((response.status === 429 || response.status === 503) && tries > 1) {
    await pause(1_000 * Number(response.headers.get('retry-after') ?? 1));
    return call(method, path, body, tries - 1);
  }
  return { status: response.status, answer: await response.json() };
}

/** Stores records of one kind, a hundred in each call. Those that the service had no time for are sent again. */
async function put(kind, records, idOf = ({ id }) => id) {
  let left = records.map((record) => ({ method: 'PUT', kind, id: idOf(record), record }));
  while (left.length > 0) {
    const changes = left.slice(0, 100);
    const { status, answer } = await call('POST', 'changes', { changes });
    if (status !== 200) throw new Error(`${kind}: ${status} ${JSON.stringify(answer)}`);
    const again = changes.filter((_, index) => answer.results[index].status === 503);
    const refused = answer.results.findIndex((result) => result.status >= 400 && result.status !== 503);
    if (refused !== -1) {
      throw new Error(`${kind} ${changes[refused].id}: ${JSON.stringify(answer.results[refused].error)}`);
    }
    left = [...again, ...left.slice(100)];
    if (again.length > 0) await pause(1_000);
  }
  console.log(`${kind}: ${records.length}`);
}

async function settle(what, request) {
  const { status, answer } = await request;
  if (status >= 400 && status !== 409) throw new Error(`${what}: ${status} ${JSON.stringify(answer)}`);
  return { status, answer };
}

const { id, ...settings } = document.workspace;
await settle('workspace', call('PATCH', 'workspace', settings));
await put('cms-models', document.cms?.models ?? []);
await put('menu-categories', document.menu?.categories ?? []);
await put('menu-products', document.menu?.products ?? []);
await put('cms-entries', document.cms?.entries ?? [], (entry) => `${entry.modelId}/${entry.id}`);
await put('forms', document.forms ?? []);
await put('agents', document.messaging?.agents ?? []);
await put('channels', document.messaging?.channels ?? []);
await put('customers', document.messaging?.customers ?? []);
for (const { acceptedAt, ...member } of document.members ?? []) {
  await settle(member.id, call('PUT', `members/${member.id}`, member));
}
for (const { secret, secretHash, retired, ...record } of document.apiKeys ?? []) {
  const { status, answer } = await settle(record.id, call('POST', 'api-keys', record));
  console.log(status === 409 ? `${record.id}: is there already` : `${record.id}: ${answer.secret}`);
}

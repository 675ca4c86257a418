import { contactAnswers as answers, demoKeys } from '#test/support/demo-workspace.ts';
import {
  call,
  conflicting,
  itAnswersAsDescribed,
  overLimit,
  publicFile,
  type Requests,
  readBy,
  repeatWithEtag,
  unavailable,
  withIdempotencyKey,
} from './status-requests.ts';

const { site, editor, none, all } = demoKeys;
const readWithHeader = readBy(site);

const withKey = (address: string, key: string) => `${address}${address.includes('?') ? '&' : '?'}apiKey=${key}`;

/** The statuses of a GET with the key in its address. */
const readWithQuery = (address: string) => ({
  200: () => call(withKey(`${address}${address.includes('?') ? '&' : '?'}locale=en`, site)),
  304: () => repeatWithEtag(withKey(address, site)),
  401: () => call(address, { key: site }),
  403: () => call(withKey(address, none)),
  429: overLimit(() => call(withKey(address, all))),
  503: unavailable(() => call(withKey(address, site))),
});

const list = 'GET /api/public/cms/chefs/list';
const chef = '/api/public/cms/chefs/chef_noura';
const update = (method: string) => {
  const address = `${method} ${chef}`;
  const body = { values: { published: true } };
  return {
    200: () => call(address, { key: editor, body }),
    400: () => call(address, { key: editor, body: { values: { name: { en: null, ar: null }, nope: 1 } } }),
    401: () => call(address, { body }),
    403: () => call(address, { key: site, body }),
    404: () => call(`${method} /api/public/cms/chefs/nobody`, { key: editor, body }),
    409: () =>
      conflicting(() => call(address, { key: editor, body, headers: withIdempotencyKey(`${method} in flight`) })),
    412: () => call(address, { key: editor, body, headers: { 'if-match': '"another"' } }),
    413: () => call(address, { key: editor, body: { values: { bio: { en: 'x'.repeat(1_048_577) } } } }),
    415: () => call(address, { key: editor, body, headers: { 'content-type': 'text/plain' } }),
    422: async () => {
      await call(address, { key: editor, body, headers: withIdempotencyKey(`${method} reused`) });
      return call(address, { key: editor, body: { values: {} }, headers: withIdempotencyKey(`${method} reused`) });
    },
    429: overLimit(() => call(address, { key: all, body })),
    503: unavailable(() => call(address, { key: editor, body })),
  };
};

const contact = '/api/public/forms/contact';
const submit = (body: unknown, headers: Record<string, string> = {}, key: string = site, address = contact) =>
  call(withKey(`POST ${address}`, key), { body, headers });
const keyed = { 'idempotency-key': 'one' };

/** The script in the console's page. */
const consoleScript = /console\/main-\w+\.js/.exec((await call('GET /console')).text)?.[0];

const requests: Requests = {
  cmsEntriesList: {
    ...readWithHeader(list),
    200: () => call(`${list}?limit=1&locale=en`, { key: site }),
    400: () => call(`${list}?limit=0`, { key: site }),
    404: () => call('GET /api/public/cms/nothing/list', { key: site }),
  },
  cmsEntryGet: {
    ...readWithHeader(`GET ${chef}`),
    200: () => call(`GET ${chef}?locale=en`, { key: site }),
    400: () => call(`GET ${chef}?fields=nope`, { key: site }),
    404: () => call('GET /api/public/cms/chefs/nobody', { key: site }),
  },
  cmsEntryUpdate: update('PATCH'),
  cmsEntryUpdatePut: update('PUT'),
  menuProductsList: {
    ...readWithQuery('GET /api/public/menu/products'),
    400: () => call(withKey('GET /api/public/menu/products?minPrice=free', site)),
  },
  menuCategoriesList: {
    ...readWithQuery('GET /api/public/menu/categories?includeProducts=true'),
    400: () => call(withKey('GET /api/public/menu/categories?page=0', site)),
  },
  formGet: {
    ...readWithQuery(`GET ${contact}`),
    400: () => call(withKey(`GET ${contact}?locale=xx`, site)),
    404: () => call(withKey('GET /api/public/forms/nothing', site)),
  },
  formSubmit: {
    200: () => submit(answers, keyed),
    400: () => submit({ ...answers, email: 'nobody', more: 1 }),
    401: () => call(`POST ${contact}`, { key: site, body: answers }),
    403: () => submit(answers, {}, none),
    404: () => submit(answers, {}, site, '/api/public/forms/catering'),
    409: () => conflicting(() => submit(answers, withIdempotencyKey('two'))),
    413: () => submit({ ...answers, message: 'x'.repeat(1_048_577) }),
    415: () => submit(answers, { 'content-type': 'text/plain' }),
    422: async () => {
      await submit(answers, keyed);
      return submit({ ...answers, name: 'Reem' }, keyed);
    },
    429: overLimit(() => submit(answers, {}, all)),
    503: unavailable(() => submit(answers)),
  },
  home: { ...publicFile('GET /'), 302: () => call('GET /', { headers: { accept: 'text/html' } }) },
  apiDescription: publicFile('GET /openapi.json'),
  apiReference: publicFile('GET /docs'),
  consolePage: publicFile('GET /console'),
  consoleFile: { ...publicFile(`GET /${consoleScript}`), 404: () => call('GET /console/nothing.js') },
  apiReferenceFile: { ...publicFile('GET /docs/start.js'), 404: () => call('GET /docs/nothing.js') },
};

itAnswersAsDescribed(requests, (tag) => !['Messaging', 'Management', 'Events', 'Sign-in'].includes(tag));

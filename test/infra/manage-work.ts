import { openRoom, type Room } from '#test/support/erased-person.ts';
import { bulkKinds } from '#test/support/manage-kinds.ts';
import { noise } from '#test/support/noise.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { answered, idempotencyHeaders, shared, type Work } from './work.ts';

const at = '2026-01-01T00:00:00.000Z';
const title = { key: 'title', name: { en: 'Title' }, type: 'text', required: true };
const dishes = {
  key: 'dishes',
  name: { en: 'Dishes' },
  type: 'relation',
  relation: { to: 'menu:product', many: true },
};
const next = { key: 'next', name: { en: 'Next' }, type: 'relation', relation: { to: 'cms:notes' } };
const notes = { name: { en: 'Notes' }, fields: [title, next, dishes] };

/** Texts of 120 KB: the states of such a record are in the bucket. */
const large = { description: { en: noise(40_000) } };
const largeModel = { ...notes, name: { en: noise(40_000) } };

const open = shared(() =>
  openWorkspace('records', (document) => {
    for (const product of document.menu.products) Object.assign(product, large);
    document.cms = {
      models: [
        { id: 'notes', ...notes },
        { ...largeModel, id: 'empty', fields: [title, dishes] },
      ],
      entries: [1, 2, 3].map((number) => ({
        id: `note_${number}`,
        modelId: 'notes',
        values: { title: `Note ${number}`, dishes: ['prod_2'] },
      })),
    };
    document.attachments = [1, 2].map((number) => ({
      id: `att_${number}`,
      name: 'menu.pdf',
      type: 'application/pdf',
      size: 5,
      createdAt: at,
      s3Key: `workspaces/${document.workspace.id}/drive/messaging/2026-01/att_${number}/menu.pdf`,
    }));
    document.formResponses.push({ id: 'resp_2', formId: 'form_1', answers: {}, createdAt: at });
    document.notifications = [
      { id: 'not_1', type: 'form_response', formId: 'form_1', formResponseId: 'resp_1', createdAt: at, readAt: null },
    ];
  }),
);

type Kitchen = Awaited<ReturnType<typeof open>>;
const send = ({ secretOf }: Kitchen, request: string, body?: object, headers = {}) => {
  const [method, path] = request.split(' ');
  return answered(`${method} /api/v1/manage/${path}`, { key: secretOf('all'), headers, ...(body && { body }) });
};

const stored: readonly string[] = [
  ...bulkKinds.map((tested) => `${tested.kind}/${tested.stored}`),
  'cms-models/notes',
  'cms-entries/notes/note_1',
  'form-responses/resp_1',
  'notifications/not_1',
  'attachments/att_1',
];
const lists: readonly string[] = [
  ...bulkKinds.map(({ kind }) => kind),
  'cms-models',
  'cms-entries?modelId=notes',
  'form-responses',
  'notifications',
  'attachments',
];
type Fresh = readonly [kind: string, id: string, record: object];
/** The records to create; the ids of entries begin with their database. */
const fresh = (name: string): readonly Fresh[] =>
  [
    ...bulkKinds.map(
      (tested) =>
        [
          tested.kind,
          `${name}.${tested.kind}`,
          { ...tested.fresh(`${name}-${tested.kind}`), ...(tested.kind === 'menu-products' && large) },
        ] as const,
    ),
    ['cms-entries', `notes/${name}-note`, { values: { title: name, dishes: ['prod_2'], next: 'note_2' } }],
  ] as [string, string, object][];
const freshModel = (name: string): Fresh => ['cms-models', `${name}-model`, largeModel];
const patches: readonly [path: string, patch: object][] = [
  ...bulkKinds.map((tested) => [`${tested.kind}/${tested.stored}`, tested.patch] as const),
  ['cms-entries/notes/note_2', { published: false, values: { title: 'New', dishes: ['prod_3'] } }],
  ['notifications/not_1', { readAt: at }],
] as [string, object][];
const everyPatch: typeof patches = [
  ['cms-models/notes', { name: { en: 'Notes' } }],
  // The rows of the list, the columns and the relations to products.
  ['cms-models/empty', { fields: [title, { ...title, key: 'more' }] }],
  ...patches,
];

const conditional = async (kitchen: Kitchen, path: string) => {
  const { headers } = await send(kitchen, `GET ${path}`);
  return { 'if-match': headers['etag'] ?? '' };
};

/** Records of every kind except keys and members. */
export const manageWork: Work = {
  'manage-list': {
    before: async () => {
      const kitchen = await open();
      await send(kitchen, 'DELETE menu-products/prod_2');
      return kitchen;
    },
    act: async (kitchen: Kitchen) => {
      await send(kitchen, 'GET deleted?kind=menu-products');
      for (const list of lists) await send(kitchen, `GET ${list}${list.includes('?') ? '&' : '?'}limit=1`);
    },
  },
  'manage-get': {
    before: async () => {
      const kitchen = await open();
      await send(kitchen, 'PATCH menu-products/prod_1', { preparationTime: 5 });
      return kitchen;
    },
    act: async (kitchen: Kitchen) => {
      for (const path of stored) await send(kitchen, `GET ${path}`);
      const { json } = await send(kitchen, 'GET menu-products/prod_1/versions');
      await send(kitchen, `GET menu-products/prod_1/versions/${json.data[0].id}`);
    },
  },
  'manage-restore': {
    before: async () => {
      const kitchen = await open();
      for (const [path, patch] of everyPatch) await send(kitchen, `PATCH ${path}`, patch);
      await send(kitchen, 'PATCH workspace', { name: 'Renamed', languages: ['ar', 'en', 'fr'] });
      return kitchen;
    },
    act: async (kitchen: Kitchen) => {
      const versioned = everyPatch.map(([path]) => path).filter((path) => !/^(?:customers|notifications)/.test(path));
      for (const path of ['workspace', ...versioned]) {
        const { json } = await send(kitchen, `GET ${path}/versions`);
        // Some patches change nothing.
        const version = json.data.at(-1)?.id;
        if (version) await send(kitchen, `POST ${path}/restore`, { version }, idempotencyHeaders());
      }
    },
  },
  'manage-create': {
    before: open,
    act: async (kitchen: Kitchen) => {
      for (const [kind, id, record] of fresh('made')) {
        const own = id.split('/').at(-1);
        const modelOfEntry = kind === 'cms-entries' ? { modelId: 'notes' } : {};
        await send(kitchen, `POST ${kind}`, { ...record, ...modelOfEntry, id: own }, idempotencyHeaders());
      }
    },
  },
  'manage-replace': {
    before: open,
    act: async (kitchen: Kitchen) => {
      for (const name of ['first', 'second']) {
        for (const [index, [kind, , record]] of fresh(name).entries()) {
          const id = fresh('put')[index]?.[1];
          await send(kitchen, `PUT ${kind}/${id}`, record, idempotencyHeaders());
        }
      }
    },
  },
  'manage-update': {
    before: async () => {
      const kitchen = await open();
      return { kitchen, condition: await conditional(kitchen, 'menu-products/prod_3') };
    },
    act: async ({ kitchen, condition }: { kitchen: Kitchen; condition: object }) => {
      for (const [path, patch] of patches) await send(kitchen, `PATCH ${path}`, patch, idempotencyHeaders());
      await send(kitchen, 'PATCH menu-products/prod_3', { soldout: true }, condition);
      // Nothing changes, but the use of the key is recorded.
      await send(kitchen, 'PATCH menu-products/prod_3', { soldout: true }, idempotencyHeaders());
    },
  },
  'manage-changes': {
    before: open,
    act: async (kitchen: Kitchen) => {
      const change = (method: string, kind: string, id: string, record?: object) => ({ method, kind, id, record });
      const all = [...fresh('bulk'), freshModel('bulk')];
      const made = all.map(([kind, id, record]) => change('PUT', kind, id, record));
      const removed = all.map(([kind, id]) => change('DELETE', kind, id));
      const patched = everyPatch.map(([path, patch]) => {
        const [kind = '', ...id] = path.split('/');
        return change('PATCH', kind, id.join('/'), patch);
      });
      const changes = [...made, ...patched, ...removed.reverse(), change('DELETE', 'attachments', 'att_2')];
      const { json } = await send(kitchen, 'POST changes', { changes }, idempotencyHeaders());
      const refused = json.results.filter(({ status }: { status: number }) => status > 299);
      if (refused.length > 0) throw new Error(JSON.stringify(refused));
    },
  },
  'manage-workspace-get': { before: open, act: (kitchen: Kitchen) => send(kitchen, 'GET workspace') },
  'schema-create': {
    before: open,
    act: async (kitchen: Kitchen) => {
      const [kind, id, record] = freshModel('made');
      await send(kitchen, `POST ${kind}`, { ...record, id }, idempotencyHeaders());
    },
  },
  'schema-replace': {
    before: open,
    act: async (kitchen: Kitchen) => {
      const [kind, id, record] = freshModel('put');
      for (const fields of [[], [title, dishes]])
        await send(kitchen, `PUT ${kind}/${id}`, { ...record, fields }, idempotencyHeaders());
    },
  },
  'schema-update': {
    before: open,
    act: async (kitchen: Kitchen) => {
      // The rows of the list, the columns and the relations of entries to products.
      for (const fields of [[title, next], notes.fields])
        await send(kitchen, 'PATCH cms-models/notes', { fields }, idempotencyHeaders());
      await send(kitchen, 'PATCH cms-models/empty', { name: largeModel.name, fields: [] });
      await send(kitchen, 'PATCH workspace', { name: 'Renamed', defaultLanguage: 'ar' }, idempotencyHeaders());
      await send(kitchen, 'PATCH workspace', { languages: ['ar', 'en', 'fr'] });
      await send(kitchen, 'PATCH workspace', { name: 'Renamed' }, idempotencyHeaders());
    },
  },
  'schema-delete': {
    before: open,
    // It has no entries.
    act: (kitchen: Kitchen) => send(kitchen, 'DELETE cms-models/empty', undefined, idempotencyHeaders()),
  },
  'manage-delete': {
    before: async () => {
      const room = await openRoom();
      await room.visit('crm-zubaydah');
      return { kitchen: await open(), room };
    },
    act: async ({ kitchen, room }: { kitchen: Kitchen; room: Room }) => {
      // Records without references.
      const gone = bulkKinds
        .map((tested) => `${tested.kind}/${tested.stored}`)
        .filter((path) => !path.startsWith('forms/'));
      for (const path of [...gone, 'cms-entries/notes/note_3', 'form-responses/resp_2', 'attachments/att_1']) {
        await send(kitchen, `DELETE ${path}`, undefined, idempotencyHeaders());
      }
      await send(kitchen, 'DELETE forms/form_2');
      await answered('DELETE /api/v1/manage/customers/cus_z?erase=true&responses=true', { key: room.admin });
    },
  },
};

import { describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import type { Verb } from '#lib/kinds/define-kind.ts';
import { managed, sharedKinds } from '#lib/kinds/kinds.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const addressOf: Readonly<Record<Verb, (kind: string) => string>> = {
  list: (kind) => `GET ${kind}${kind === 'cms-entries' ? '?modelId=none' : ''}`,
  create: (kind) => `POST ${kind}`,
  get: (kind) => `GET ${absentRecordOf(kind)}`,
  replace: (kind) => `PUT ${absentRecordOf(kind)}`,
  update: (kind) => `PATCH ${absentRecordOf(kind)}`,
  delete: (kind) => `DELETE ${absentRecordOf(kind)}`,
};
const absentRecordOf = (kind: string) => (kind === 'cms-entries' ? `${kind}/none/none` : `${kind}/none`);

/**
 * Restates the table of lib/spec/additions.md section 2: permissions to read, to write, and to remove where they
 * differ.
 */
const spec: Readonly<Record<string, readonly [read: string[], write: string[], remove?: string[]]>> = {
  'cms-models': [['cms:model:read'], ['cms:model:manage']],
  'menu-categories': [['menu:category:manage'], ['menu:category:manage']],
  forms: [['forms:form:manage'], ['forms:form:manage']],
  agents: [['messaging:agent:read'], ['messaging:agent:manage']],
  channels: [['messaging:channel:read'], ['messaging:channel:manage']],
  customers: [['messaging:customer:read'], ['messaging:customer:manage']],
  'form-responses': [['forms:response:read'], [], ['forms:response:delete']],
  attachments: [['messaging:conversation:read'], [], ['messaging:conversation:engage']],
};

const kinds = sharedKinds.map((kind) => managed(kind).path);
const verbsOf = (path: string) =>
  sharedKinds.map((kind) => managed(kind)).find((kind) => kind.path === path)?.verbs ?? {};
const kitchen = await openWorkspace('records', (document) => {
  const { id } = document.workspace;
  for (const lacking of Permission.options) {
    const permissions = Permission.options.filter((permission) => permission !== lacking);
    document.apiKeys.push({ id: `but_${lacking}`, name: lacking, secret: `but-${lacking}-${id}`, permissions });
  }
});
const { workspaceId, secretOf } = kitchen;
const send = (request: string, key: string) => {
  const [method = '', path = ''] = request.split(' ');
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
  return call(`${method} /api/v1/manage/${path}`, { key, ...body });
};

describe.each(kinds)('%s', (kind) => {
  const verbs = Object.entries(verbsOf(kind)) as [Verb, NonNullable<ReturnType<typeof needsOf>>][];

  it.each(verbs)('%s is denied to every key that lacks its permission, and to no other', async (verb, needs) => {
    const request = addressOf[verb](kind);
    const isAny = needs.permissionsNeeded === 'any';
    for (const permission of Permission.options) {
      const [alone, but] = await Promise.all([
        send(request, secretOf(permission)),
        send(request, `but-${permission}-${workspaceId}`),
      ]);
      const suffices = isAny
        ? needs.permissions.includes(permission)
        : needs.permissions.every((needed) => needed === permission);
      const isNeeded = !isAny && needs.permissions.includes(permission);
      expect([request, permission, alone.status === 403]).toEqual([request, permission, !suffices]);
      expect([request, permission, but.status === 403]).toEqual([request, permission, isNeeded]);
      for (const { status } of [alone, but]) expect(status).toBeLessThan(500);
    }
    expect((await send(request, secretOf('none'))).json.code).toBe('permission_denied');
    expect((await send(request, 'no-key-at-all')).status).toBe(401);
  });
});

const needsOf = (path: string, verb: Verb) => verbsOf(path)[verb];

it.each(Object.entries(spec))(
  '%s requires the permissions of the specification',
  (kind, [read, write, remove = write]) => {
    const all = [...new Set([...read, ...write])];
    for (const verb of ['list', 'get'] as const) expect(needsOf(kind, verb)?.permissions).toEqual(read);
    for (const verb of ['create', 'replace', 'update'] as const) {
      expect([verb, needsOf(kind, verb)?.permissions]).toEqual([verb, write.length === 0 ? undefined : all]);
    }
    expect(needsOf(kind, 'delete')?.permissions).toEqual(remove);
  },
);

it('no call grants a key or a member a permission that its caller lacks', async () => {
  const granter = ['access:key:read', 'access:key:manage', 'access:member:read', 'access:member:manage'];
  const made = await kitchen.manage('POST api-keys', { name: 'Granter', permissions: granter });
  const key = made.json.secret as string;
  const body = (permissions: readonly string[]) => ({ name: 'x', permissions });
  const ask = (request: string, sent: object) => {
    const [method, path] = request.split(' ');
    return call(`${method} /api/v1/manage/${path}`, { key, body: sent });
  };
  await ask('PUT members/mem_own', body(granter));
  await ask('POST api-keys', { id: 'key_own', ...body(granter) });
  for (const permission of Permission.options) {
    const expected = granter.includes(permission) ? [200, 201] : [403];
    for (const request of [
      'POST api-keys',
      'PATCH api-keys/key_own',
      'POST members',
      'PATCH members/mem_own',
      'PUT members/mem_own',
    ]) {
      const { status, json } = await ask(
        request,
        body([...granter, permission].filter((granted, at, all) => all.indexOf(granted) === at)),
      );
      expect([request, permission, expected]).toEqual([request, permission, expect.arrayContaining([status])]);
      if (status === 403) expect(json.message).toContain(permission);
    }
  }
});

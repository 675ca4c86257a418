import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { findEndpoints, functionNames } from '#lib/endpoints.ts';
import { routesOf } from '#lib/http/endpoint.ts';
import type { Managed, RequiredPermissions, Verb } from '#lib/kinds/define-kind.ts';
import { eventTypes } from '#lib/kinds/event-types.ts';
import { historyKinds, managed, managedKinds } from '#lib/kinds/kinds.ts';
import { usage } from '#lib/workspace/command/command-line.ts';
import { anchorOf } from '#test/support/markdown.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const specification = (page: string): string => read(`lib/spec/${page}.md`);
const readme = read('README.md');
const endpoints = await findEndpoints();
const functions = await functionNames();
const filesOf = (...patterns: string[]): string[] => globSync(patterns, { cwd: root });
const pages = ['README.md', ...filesOf('functions/*.md', 'lib/**/*.md', 'test/**/README.md')].filter(
  (path) => !path.startsWith('lib/spec/') || path.endsWith('README.md'),
);
const files = new Set(filesOf('{bin,functions,lib,test}/**/*.*').map((path) => basename(path)));
const managing = read('functions/managing.md');

/** README.md lists the endpoints of websites. The other page lists those of management, conversations and sign-in. */
const listed = `${readme}\n${read('functions/endpoints.md')}`;

const inWords = ({ permissions, permissionsNeeded }: RequiredPermissions): string =>
  permissions.map((permission) => `\`${permission}\``).join(permissionsNeeded === 'any' ? ' or ' : ', ');

/** The paths whose calls need the permissions of the kind in the path or in the body. */
const needsByKind = (path: string): boolean => path.includes('{kind}') || path === '/api/v1/manage/changes';

describe('README.md, with functions/endpoints.md,', () => {
  // One row for each route of the gateway.
  const routes = endpoints.flatMap(({ endpoint }) => {
    return endpoint.isRoutedByPattern ? [endpoint] : routesOf(endpoint).map((route) => route.endpoint);
  });

  it.each(routes.map((route) => [`${route.methods[0]} ${route.path}`, route] as const))(
    'has %s in its table, as declared',
    (_, endpoint) => {
      const { methods, path, summary } = endpoint;
      const granted = needsByKind(path) ? '[by kind](managing.md#kinds)' : inWords(endpoint);
      expect(listed).toContain(`| ${methods.join(', ')} | \`${path}\` | ${granted} | ${summary} |`);
    },
  );

  it('names no endpoint that does not exist', () => {
    const rows = [...listed.matchAll(/^\| [A-Z, ]+ \| `(\/[^`]*)`/gm)].map(([, path]) => path);
    expect(rows.sort()).toEqual(routes.map(({ path }) => path).sort());
  });

  it('signs in a member of lib/local/demo-workspace.json who has every permission', () => {
    const [, address] = /Sign in as `([^`]+)`, who may do everything/.exec(readme) ?? [];
    const { members } = JSON.parse(read('lib/local/demo-workspace.json'));
    const { permissions } = members.find(({ email }: { email: string }) => email === address);
    expect(permissions.toSorted()).toEqual(Permission.options.toSorted());
  });

  it('maps the folders that exist, and all those of lib', () => {
    const map = /## Where things are\n\n```\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const folders = [...map.matchAll(/\b(?:bin|functions|lib|test)\/(?:[a-z-]+\/)?/g)].map(([path]) => path);
    expect(folders.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const rooms = new Set(globSync('lib/*/*', { cwd: root }).map((path) => `${path.split('/', 2).join('/')}/`));
    expect([...rooms].filter((room) => !folders.includes(room))).toEqual([]);
  });

  it.each([
    ['how to add a field to a response', 'functions/README.md#add-a-field-to-a-response', 'schema of the response'],
    ['what an entry looks like in a document', 'lib/workspace/format.md#cmsentry-in-cmsentries', '`values`'],
    ['how to rotate a key on a deployed stack', 'lib/infra/operate.md#rotate-an-api-key', 'key rotate KEY'],
    ['an endpoint explained', 'functions/README.md#one-endpoint-in-five-minutes-form-get', 'functions/form-get'],
  ])('leads to %s', (_, link, content) => {
    expect(readme).toContain(`(${link})`);
    const [path = '', anchor = ''] = link.split('#');
    const section = read(path)
      .split(/^##+ /m)
      .find((text) => anchorOf(text.split('\n')[0] ?? '') === anchor);
    expect(section).toContain(content);
  });
});

describe.each(pages)('%s', (path) => {
  const page = read(path);

  const linesMax = path.startsWith('lib/') && path.endsWith('README.md') ? 60 : 150;

  it(`has at most ${linesMax} lines`, () => {
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(linesMax);
  });

  it('names only permissions that exist', () => {
    const named = page.match(/`[a-z]+:[a-z]+:[a-z-]+`/g) ?? [];
    expect(named.filter((name) => !(Permission.options as readonly string[]).includes(name.slice(1, -1)))).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = [...page.matchAll(/`((?:functions|lib|test|bin)\/[a-z0-9/.-]+)`/g)].map(([, name = '']) => name);
    expect(paths.filter((name) => !existsSync(join(root, name)))).toEqual([]);
    const names = [...page.matchAll(/`(?:[a-z0-9-]+\/)*([a-z0-9-]+(?:\.test)?\.(?:tsx?|cjs|py|toml))`/g)];
    expect(names.map(([, name = '']) => name).filter((name) => !files.has(name))).toEqual([]);
  });

  it('names only tests that exist', () => {
    const names = [...page.matchAll(/`((?:contract|containers|acceptance|infra|unit)\/[a-z0-9-]+)`/g)].map(
      ([, name = '']) => name,
    );
    const exists = (name: string) =>
      ['.test.ts', '.long.test.ts'].some((end) => existsSync(join(root, 'test', `${name}${end}`)));
    expect(names.filter((name) => !exists(name))).toEqual([]);
  });

  it('shows files as they are', () => {
    const shown = [...page.matchAll(/^```ts\n\/\/ ((?:functions|lib)\/\S+)\n([\s\S]*?)^```$/gm)];
    for (const [, name = '', code] of shown) expect({ name, code }).toEqual({ name, code: read(name) });
  });
});

describe('functions/managing.md', () => {
  const writes: readonly (readonly [Verb, string])[] = [
    ['create', 'POST'],
    ['replace', 'PUT'],
    ['update', 'PATCH'],
    ['delete', 'DELETE'],
  ];

  /** Methods that need the same permissions share a line. */
  const writing = ({ verbs }: Managed): string => {
    const lines = new Map<string, string[]>();
    for (const [verb, method] of writes) {
      const needs = verbs[verb];
      if (needs) lines.set(inWords(needs), [...(lines.get(inWords(needs)) ?? []), method]);
    }
    return [...lines].map(([needs, methods]) => `${methods.join(', ')}: ${needs}`).join('<br>');
  };

  const rows = managedKinds.map(managed).flatMap((kind) => {
    const { path, verbs, idPath, idPrefix } = kind;
    if (!verbs.get) return [];
    const id = idPath ? `\`${idPath}\`` : `\`${idPrefix}...\``;
    return [`| \`${path}\` | ${inWords(verbs.get)} | ${writing(kind)} | ${id} |`];
  });

  it('lists all kinds with their permissions and ids, as declared', () => {
    expect(managing.match(/^\| `[a-z-]+` \|.*$/gm)).toEqual(rows);
  });

  it('is where README.md leads to', () => {
    expect(readme).toContain('(functions/managing.md)');
  });
});

describe('functions/permissions.md', () => {
  it('explains every permission', () => {
    const rows = read('functions/permissions.md').matchAll(/^\| `([a-z]+:[a-z]+:[a-z-]+)` \| .{10,} \|$/gm);
    expect([...rows].map(([, name]) => name)).toEqual(Permission.options);
  });
});

describe('the additions of the specification', () => {
  /** The names in code within the first match, without `...`. */
  const namesIn = (section: RegExp): string[] => {
    const [text = ''] = section.exec(specification('additions')) ?? [];
    return [...text.matchAll(/`([a-z_-]+)(?:`| \()/g)].map(([, name = '']) => name);
  };

  it('section 2 has every managed kind in its table', () => {
    const rows = namesIn(/^\| `\{kind\}` \| record \|.*\n(?:\|.*\n)+/m);
    expect(managedKinds.map((kind) => managed(kind).path).filter((path) => !rows.includes(path))).toEqual([]);
  });

  it('section 5 has every kind with events', () => {
    const section = /^## 5\..*?^## 6\./ms.exec(specification('additions'))?.[0];
    const kinds = [...eventTypes.values()].map(([type = '']) => type.slice(0, type.indexOf('.')));
    expect(kinds.filter((kind) => !section?.includes(`\`${kind}`))).toEqual([]);
  });

  it('section 14 has every kind with history', () => {
    expect(namesIn(/^Kinds with history: [^.]*/m).sort()).toEqual(
      historyKinds.map((kind) => managed(kind).path).sort(),
    );
  });
});

describe('functions/README.md', () => {
  it.each(functions)('names the function %s', (name) => {
    expect(read('functions/README.md')).toContain(`\`${name}\``);
  });
});

describe('lib/workspace/command/README.md', () => {
  const commands = [...usage.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?= |$)/gm)].map(([, name = '']) => name);

  it.each(commands)('describes the command %s', (command) => {
    expect(read('lib/workspace/command/README.md')).toContain(`| \`${command}`);
  });
});

describe('lib/infra/settings.md', () => {
  const [, schema = ''] = read('lib/infra/settings.ts').split('settingsSchema = ');
  const settings = [...schema.matchAll(/^ {2}(\w+): |^ {6}(\w+): /gm)].map(([, name, inner]) => name ?? inner ?? '');

  it('is compared with settings', () => {
    expect(settings).toEqual(expect.arrayContaining(['domain', 'hostedZoneId', 'tracing']));
  });

  it.each(settings)('describes the setting %s', (setting) => {
    expect(read('lib/infra/settings.md')).toMatch(new RegExp(`^\\| .*[\`.]${setting}[\`.].* \\| .+ \\| .+ \\|$`, 'm'));
  });
});

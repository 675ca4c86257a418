import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/permission.ts';
import { findEndpoints } from '#lib/endpoints.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const endpoints = await findEndpoints();

describe('the README', () => {
  it.each(endpoints.map(({ name, endpoint }) => [name, endpoint] as const))(
    'has %s in its table, as declared',
    (_, endpoint) => {
      const { methods, path, permissions, permissionsNeeded, summary } = endpoint;
      const granted = permissions
        .map((permission) => `\`${permission}\``)
        .join(permissionsNeeded === 'any' ? ' or ' : ', ');
      expect(readme).toContain(`| ${methods.join(', ')} | \`${path}\` | ${granted} | ${summary} |`);
    },
  );

  it('names no endpoint that there is not', () => {
    const rows = [...readme.matchAll(/^\| [A-Z, ]+ \| `(\/[^`]*)`/gm)].map(([, path]) => path);
    expect(rows.sort()).toEqual(endpoints.map(({ endpoint }) => endpoint.path).sort());
  });

  it('names only permissions that there are', () => {
    const named = readme.match(/`[a-z]+:[a-z]+:[a-z-]+`/g) ?? [];
    expect(named.filter((name) => !(Permission.options as readonly string[]).includes(name.slice(1, -1)))).toEqual([]);
  });

  it('names only folders that there are', () => {
    const paths = [...readme.matchAll(/`((?:functions|lib|test|bin)\/[a-z0-9/.-]+)`/g)].map(([, path = '']) => path);
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });
});

function exists(path: string): boolean {
  try {
    readFileSync(join(root, path));
    return true;
  } catch {
    return false;
  }
}

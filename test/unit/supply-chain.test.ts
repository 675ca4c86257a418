import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, LockedPackage>> };
const { dependencies, devDependencies, overrides, allowScripts } = read('package.json');
const locked = Object.entries(packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The deployed functions and the console contain only these packages. Another package needs a reason. */
const runtimePackagesMax = 76;
/** Older versions have known faults that affect this service. */
const atLeast: Readonly<Record<string, string>> = { '@middy/core': '7.0.0', busboy: '1.6.0', zod: '4.0.0' };

describe('the lock file', () => {
  it('pins every package by a SHA-512 hash', () => {
    const unpinned = locked.filter(([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'));
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });

  it('takes packages from a registry over HTTPS, and from no repository, folder or link', () => {
    const strange = locked.filter(
      ([, { resolved = 'https://', link }]) => link || !resolved.startsWith('https://') || resolved.includes('git'),
    );
    expect(strange.map(([path]) => path)).toEqual([]);
    const origins = new Set(locked.flatMap(([, { resolved }]) => (resolved ? [new URL(resolved).origin] : [])));
    expect(origins.size).toBeLessThanOrEqual(1);
  });

  it('has the versions of package.json', () => {
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
    }
  });
});

describe('package.json', () => {
  it('names exact versions only', () => {
    const all: Record<string, string> = { ...dependencies, ...devDependencies, ...overrides };
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('judges every install script, and lets only the one of node run', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    expect(scripted.filter((name) => !(name in allowScripts))).toEqual([]);
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    expect(allowed).toEqual(['node']);
  });
});

it('.npmrc lets npm run only scripts that package.json lists', () => {
  expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('strict-allow-scripts=true');
});

describe('the packages at run time', () => {
  const runtime = locked.filter(([, { dev, optional, peer }]) => !dev && !optional && !peer);

  it('are no more than the bound of this file', () => {
    expect(runtime.length).toBeGreaterThan(10);
    expect(runtime.length).toBeLessThanOrEqual(runtimePackagesMax);
  });

  it('are not older than the required minimum versions', () => {
    for (const [name, version] of Object.entries(atLeast)) {
      const found = packages[`node_modules/${name}`]?.version ?? '0.0.0';
      expect([name, found.localeCompare(version, 'en', { numeric: true }) >= 0]).toEqual([name, true]);
    }
  });
});

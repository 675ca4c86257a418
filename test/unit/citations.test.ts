import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { anchorOf } from '#test/support/markdown.ts';
import { brokenCitations } from '#test/support/specification.ts';

const root = resolve(import.meta.dirname, '../..');
const textFile = /\.(?:c?ts|c?js|tsx|py|sh|toml|md)$/;
const files = ['README.md', ...['bin', 'functions', 'lib', 'test'].flatMap(filesOf)].filter(
  (path) => path !== relative(root, import.meta.filename),
);
const texts = files.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && textFile.test(file.name))
    .map((file) => relative(root, join(file.parentPath, file.name)));
}

describe('citations of the specification', () => {
  it('lead to a section or rule of lib/spec, in code, tests and READMEs', () => {
    const broken = texts.flatMap(({ path, text }) =>
      brokenCitations(text, path.startsWith('lib/spec/') ? 'the specification' : 'elsewhere').map(
        (citation) => `${path}: ${citation}`,
      ),
    );
    expect(broken).toEqual([]);
  });

  it.each([
    '/** lib/spec/decisions.md section 3 */',
    '(lib/spec/decisions.md sections 3 and 5)',
    ' * as in lib/spec/interface.md section 4.2 rule 4.',
    '(lib/spec/decisions.md section 3, "Relations")',
    '// the rest of a sentence (lib/spec/decisions.md\n// section 7)',
    'see [the decisions](../spec/decisions.md#3-cms)',
  ])('may be written like %j', (text) => {
    expect(brokenCitations(text)).toEqual([]);
  });

  it.each([
    'decisions.md section 3',
    'lib/spec/decisions.md',
    'lib/spec/decisions.md section 12',
    'lib/spec/decisions.md sections 3 and 12',
    'lib/spec/interface.md section 4.20',
    'lib/spec/interface.md section 4.2 rule 9',
    'lib/spec/decisions.md section 3, "Weather"',
  ])('may not be written like %j', (text) => {
    expect(brokenCitations(text)).toHaveLength(1);
  });
});

describe('links of Markdown files', () => {
  it('lead to files that exist', () => {
    const dead = texts
      .filter(({ path }) => path.endsWith('.md'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
          .map(([, target = '']) => target)
          .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(path), target)))
          .map((target) => `${path}: ${target}`),
      );
    expect(dead).toEqual([]);
  });

  it('lead to headings that exist', () => {
    const dead = texts
      .filter(({ path }) => path.endsWith('.md'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\]\(([^)#\s]*)#([^)]+)\)/g)]
          .filter(([, target = '']) => !/^[a-z]+:/.test(target))
          .filter(
            ([, target = '', anchor = '']) =>
              !anchorsOf(join(root, target ? join(dirname(path), target) : path)).has(anchor),
          )
          .map(([link]) => `${path}: ${link}`),
      );
    expect(dead).toEqual([]);
  });
});

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = readFileSync(path, 'utf8').matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, title = '']) => anchorOf(title)));
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { anchorOf } from '#test/support/markdown.ts';

const folder = resolve(import.meta.dirname, '../../lib/spec');
const pageNames = ['interface', 'decisions', 'additions', 'workspace-document'];
const mention = new RegExp(`(lib/spec/)?\\b(${pageNames.join('|')})\\.md`, 'g');
const number = '\\d+(?:\\.\\d+)?';
const citation = new RegExp(
  `^ (?:section (${number})(?: rule (\\d+))?(?:, "([^"]+)")?|sections (${number}(?:(?:, | and )${number})+))`,
);
const heading = /^(#{2,3}) (\d+(?:\.\d+)?)\.? .*$/gm;

/**
 * The pages of the specification, each as its numbered sections and their texts. A section includes its subsections.
 */
const pages = new Map(pageNames.map((name) => [name, sectionsOf(readFileSync(join(folder, `${name}.md`), 'utf8'))]));

function sectionsOf(page: string): ReadonlyMap<string, string> {
  const headings = [...page.matchAll(heading)];
  return new Map(
    headings.map(({ 1: marks, 2: section = '', index }) => {
      const next = headings.find((other) => other.index > index && (other[1]?.length ?? 0) <= (marks?.length ?? 0));
      return [section, page.slice(index, next?.index)];
    }),
  );
}

/**
 * The citations in a text without a rule in lib/spec, unchanged. A citation names a page and a numbered section, and
 * optionally a rule of it by number or title. The pages themselves may also cite each other as a whole, and Markdown
 * may link to them.
 */
function brokenCitations(text: string, from: 'the specification' | 'elsewhere' = 'elsewhere'): string[] {
  const line = text.replaceAll('`', '').replace(/\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, ' ');
  return [...line.matchAll(mention)].flatMap((match) => {
    const [named, path, page = ''] = match;
    const rest = line.slice(match.index + named.length);
    if (/^(?:#[\w-]+)?[\])]/.test(rest)) return [];
    if (from === 'the specification' && !/^ sections? /.test(rest)) return [];
    const isWhole = path !== undefined || from === 'the specification';
    return isWhole && leadsToRule(pages.get(page), rest) ? [] : [named + rest.slice(0, 40)];
  });
}

function leadsToRule(sections: ReadonlyMap<string, string> | undefined, rest: string): boolean {
  const [whole, section, rule, title, several] = citation.exec(rest) ?? [];
  if (whole === undefined || sections === undefined) return false;
  if (section === undefined) return (several ?? '').split(/, | and /).every((name) => sections.has(name));
  const text = sections.get(section);
  if (text === undefined) return false;
  if (rule !== undefined && !new RegExp(`^ *${rule}\\. `, 'm').test(text)) return false;
  return title === undefined || text.includes(`**${title}`) || text.includes(`# ${title}`);
}

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

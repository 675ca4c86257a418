import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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
export function brokenCitations(text: string, from: 'the specification' | 'elsewhere' = 'elsewhere'): string[] {
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

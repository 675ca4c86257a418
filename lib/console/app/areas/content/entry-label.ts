import { languageNames } from '../../languages/language-names.ts';
import type { contentTexts } from './texts.ts';
import type { DraftField } from './types.ts';

type Localize = (text: DraftField['name']) => string;

/** The label for the path of a value: `values.bio.ar` is the biography, in Arabic. */
export function entryLabel(
  fields: readonly DraftField[],
  localized: Localize,
  languages: readonly string[],
  locale: string,
  t: Pick<(typeof contentTexts)['ar'], 'status' | 'created' | 'updated' | 'publishAt' | 'unpublishAt'>,
): (path: string) => string {
  const languageName = languageNames(locale);
  const others: Readonly<Record<string, string>> = {
    published: t.status,
    publishAt: t.publishAt,
    unpublishAt: t.unpublishAt,
    createdAt: t.created,
    updatedAt: t.updated,
  };
  return (path) => {
    const [member = '', key, ...rest] = path.split('.');
    const field = fields.find((candidate) => candidate.key === key);
    if (member !== 'values' || !field) return others[member] ?? path;
    const steps = rest.map((step) => (languages.includes(step) ? languageName(step) : step));
    return [localized(field.name) || field.key, ...steps].join(', ');
  };
}

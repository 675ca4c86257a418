import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { JsonObject } from '#lib/domain/input.ts';
import { languageIn, textsIn } from '#lib/domain/text/language-tag.ts';
import { withTexts } from '#lib/domain/text/texts-at.ts';
import { spelledTexts } from '#lib/domain/text/workspace-languages.ts';
import type { KindDeclaration } from '#lib/kinds/define-kind.ts';

/**
 * A record without texts in removed languages of the workspace (lib/spec/additions.md section 2, models). Removing a
 * language rewrites no records, so they keep its texts until their next write.
 * @returns the same record if it has no such texts
 */
export const inLanguages = <R extends object>(
  { localized = [] }: Pick<KindDeclaration, 'localized'>,
  record: R,
  languages: readonly string[],
): R => withTexts(record, localized, (texts: object) => textsIn(texts, languages));

/**
 * A record or a patch whose languages have the spelling of the workspace (lib/spec/additions.md section 9,
 * "Languages").
 * @param model the database of an entry
 * @returns the same record if all have it
 */
export function inSpelling(
  { localized = [], hasLanguage }: KindDeclaration,
  record: JsonObject,
  languages: readonly string[],
  model?: Model,
): JsonObject {
  const paths = [...localized, ...(model ? localizedValues(model) : [])];
  const spelled = withTexts(record, paths, (texts: object) => spelledTexts(texts, languages));
  const { language } = spelled;
  const own = hasLanguage && typeof language === 'string' ? languageIn(languages, language) : undefined;
  return own === undefined || own === language ? spelled : { ...spelled, language: own };
}

const localizedValues = ({ fields }: Model): string[] =>
  fields.flatMap(({ key, type, localized }) => {
    if (type === 'media') return [`values.${key}.alt`, `values.${key}[].alt`];
    return localized ? [`values.${key}`] : [];
  });

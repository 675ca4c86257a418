import { useLocalized, useProfile } from '../../data/session-context.tsx';
import type { Members } from '../../editing/paths.ts';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { missingTranslations } from './database-model.ts';
import { contentTexts } from './texts.ts';
import type { DraftField } from './types.ts';

interface Props {
  readonly fields: readonly DraftField[];
  readonly values: Members;
}

/** The missing texts by language. */
export function MissingTranslations({ fields, values }: Props) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const languageName = useLanguageName();
  const missing = missingTranslations(fields, values, useProfile().workspace.languages);
  return missing.map((entry) => (
    <span key={entry.language} className="tag warns" title={entry.fields.map(({ name }) => localized(name)).join(', ')}>
      {fill(t.missingIn, { language: languageName(entry.language), count: entry.fields.length })}
    </span>
  ));
}

import type { Field } from '#lib/domain/cms/cms-model.ts';
import { useProfile } from '../../data/session-context.tsx';
import { useTargetNames } from '../../relations/targets.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useLanguage, useTexts } from '../../texts/use-texts.tsx';
import { cellText } from './entry-columns.ts';
import { useTargetSource } from './targets.ts';
import { contentTexts } from './texts.ts';
import type { Entry } from './types.ts';

interface Props {
  readonly field: Field;
  readonly entry: Entry;
  /** The entries of the whole table, so that one call reads their relations. */
  readonly entries: readonly Entry[];
}

/** One value in a row. */
export function EntryCell({ field, entry, entries }: Props) {
  const t = useCatalogue(contentTexts);
  const shared = useTexts();
  const locale = useFormatLocale();
  const languages = [useLanguage(), useProfile().workspace.defaultLanguage];
  const ids = field.relation ? entries.flatMap(({ values }) => idsOf(values[field.key])) : [];
  const names = useTargetNames(useTargetSource(field.relation?.to ?? ''), ids);
  return cellText(field, entry.values[field.key], {
    languages,
    locale,
    yes: shared.yes,
    no: shared.no,
    images: (count) => fill(t.images, { count }),
    nameOf: (_, id) => names?.get(id)?.name ?? id,
  });
}

const idsOf = (value: unknown): readonly string[] =>
  [value ?? []].flat().filter((id): id is string => typeof id === 'string');

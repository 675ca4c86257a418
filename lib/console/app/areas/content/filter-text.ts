import type { Field } from '#lib/domain/cms/cms-model.ts';
import { useProfile } from '../../data/session-context.tsx';
import { useTargetNames } from '../../relations/targets.ts';
import { useFormatLocale, useLanguage, useTexts } from '../../texts/use-texts.tsx';
import { cellText } from './entry-columns.ts';
import { useTargetSource } from './targets.ts';

/** The value of a filter as text. */
export function useFilterText(field: Field | undefined, value: string): string {
  const { yes, no } = useTexts();
  const locale = useFormatLocale();
  const languages = [useLanguage(), useProfile().workspace.defaultLanguage];
  const names = useTargetNames(useTargetSource(field?.relation?.to ?? ''), field?.relation ? [value] : []);
  if (!field) return value;
  const words = {
    languages,
    locale,
    yes,
    no,
    images: String,
    nameOf: (_: Field, id: string) => names?.get(id)?.name ?? id,
  };
  if (field.type === 'number') return cellText(field, Number(value), words);
  if (field.type === 'boolean') return cellText(field, value === 'true', words);
  // The value in a URL may be neither a day nor a time.
  const isDay = field.type === 'date' || field.type === 'datetime';
  if (isDay && Number.isNaN(Date.parse(value))) return value;
  return cellText(field, value, words);
}

import { useMay } from '../../data/session-context.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { countAnswers } from './records.ts';
import { formsTexts } from './texts.ts';

/**
 * Asks before a stored question is removed, with the number of its answers.
 * @returns a function that asks; its promise is true immediately for a question without answers
 */
export function useAnswerGuard(formId: string | undefined): (ref: string, name: string) => Promise<boolean> {
  const t = useCatalogue(formsTexts);
  const shared = useTexts();
  const confirm = useConfirm();
  const mayRead = useMay('forms:response:read');
  return async (ref, name) => {
    if (formId === undefined) return true;
    // A failed count must not block the removal. The dialog then shows no number.
    const counted = mayRead ? await countAnswers(formId, ref).catch(() => undefined) : undefined;
    if (counted?.answers === 0 && counted.isAll) return true;
    const text = counted ? (counted.isAll ? t.removeFieldAnswers : t.removeFieldMany) : t.removeFieldMaybe;
    return confirm({
      title: fill(t.removeFieldTitle, { name }),
      text: fill(text, { count: counted?.answers ?? 0 }),
      action: shared.remove,
      isDangerous: true,
    });
  };
}

import { ApiError } from '#lib/client/api-error.ts';
import { client } from '../../data/client.ts';
import { changesMax } from '../../data/many-changes.ts';
import { editingTexts } from '../../editing/texts.ts';
import { heldMax, useHold } from '../../history/use-hold.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { responseKind } from './records.ts';
import { formsTexts } from './texts.ts';

type Sending = Parameters<typeof client.manage.changes>[1];

/** Deletes responses after a question, when their toast ends. */
export function useDeleteResponses() {
  const t = useCatalogue(formsTexts);
  const shared = useCatalogue(editingTexts);
  const confirm = useConfirm();
  const toast = useToast();
  const hold = useHold(responseKind);
  return async (ids: readonly string[], name: string, confirmed: () => void): Promise<void> => {
    if (ids.length > heldMax) {
      toast({ kind: 'failed', text: fill(t.deleteTooMany, { count: heldMax }) });
      return;
    }
    const title = ids.length === 1 ? t.deleteResponseTitle : fill(t.deleteResponsesTitle, { count: ids.length });
    if (!(await confirm({ title, text: shared.deleteText, action: shared.delete, isDangerous: true }))) return;
    confirmed();
    hold(name, ids, (options) => removeAll(ids, options));
  };
}

/** Sends all requests at once: a page that closes has no time for one after the other. @throws the first refusal */
async function removeAll(ids: readonly string[], options: Sending): Promise<void> {
  const starts = ids.map((_, index) => index).filter((index) => index % changesMax === 0);
  const answers = starts.map((start) =>
    client.manage.changes(
      ids.slice(start, start + changesMax).map((id) => ({ method: 'DELETE', kind: responseKind, id })),
      options,
    ),
  );
  const refused = (await Promise.all(answers)).flat().find(({ error }) => error);
  if (refused) throw new ApiError(refused.status, refused.error, new Headers());
}

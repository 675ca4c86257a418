import { useMutation } from '@tanstack/react-query';
import { type RecordCalls, useRefresh } from '../data/records.ts';
import type { Members } from '../editing/paths.ts';
import { announceStored } from '../editing/use-editing.ts';
import { useFailureToast, useToast } from '../ui/toasts.tsx';
import { useUndo } from './use-undo.tsx';

interface Patch {
  readonly id: string;
  readonly patch: Members;
  /** What the members were, for `Undo`. */
  readonly former: Members;
  /** The text of the toast. @default - nothing is said */
  readonly text?: string | undefined;
}

/** Changes members of a record at once, outside of its form: switches of a list and buttons beside `Save`. */
export function usePatch(kind: string, calls: Pick<RecordCalls, 'update'>) {
  const toast = useToast();
  const fail = useFailureToast();
  const refresh = useRefresh();
  const undo = useUndo();
  return useMutation({
    mutationFn: ({ id, patch }: Patch) => calls.update(id, patch),
    onSuccess: (stored, { id, former, text }) => {
      const { etag } = stored;
      if (text !== undefined) toast({ text, action: undo.ofPatch(kind, calls, { id, etag }, former) });
      announceStored(kind, stored);
      // Until then, the screen shows what was sent.
      return refresh(kind);
    },
    onError: (error) => {
      fail(error);
      void refresh(kind);
    },
  });
}

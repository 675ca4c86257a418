import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#lib/client/api-error.ts';
import type { VersionedConversation } from '#lib/client/conversation-calls.ts';
import type { ConversationChange } from '#lib/client/types.ts';
import { client } from '../../data/client.ts';
import { differences } from '../../editing/differences.ts';
import type { Members } from '../../editing/paths.ts';
import { useFailureToast } from '../../ui/toasts.tsx';
import { changeTo, factsOf } from './conversation-facts.ts';

interface Attempt {
  /** The version that the change was made from. */
  readonly from: VersionedConversation;
  readonly change: ConversationChange;
}

/** Two versions of a conversation's editable properties. */
interface Conflict {
  readonly base: Members;
  readonly mine: Members;
  readonly theirs: { readonly record: Members; readonly stored: VersionedConversation };
}

/**
 * Changes status, assignee or language of the version on the screen. After a concurrent change, nothing is stored: both
 * versions are kept until the member chooses.
 */
export function useConversationChange(shown: VersionedConversation) {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<Conflict>();
  const { id } = shown.conversation;
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ from, change }: Attempt) => {
      try {
        await client.conversations.update(id, change, { ifMatch: from.etag });
        return undefined;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412)) throw error;
        return conflictOf(from, change, await client.conversations.getVersioned(id));
      }
    },
    onSuccess: setConflict,
    onError: useFailureToast(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['conversations'] }),
  });
  return {
    isPending,
    conflict,
    /** @param done called when it is stored */
    change: (change: ConversationChange, done?: () => void) =>
      mutate({ from: shown, change }, { onSuccess: (found) => found || done?.() }),
    close: () => setConflict(undefined),
    /** Stores the choice on top of the other version. */
    resolve: (facts: Members) => {
      if (!conflict) return;
      const { stored } = conflict.theirs;
      setConflict(undefined);
      const change = changeTo(facts, stored.conversation);
      if (Object.keys(change).length > 0) mutate({ from: stored, change });
    },
  };
}
export type RunningChange = ReturnType<typeof useConversationChange>;

/** @returns undefined if the stored version equals the result of the change */
function conflictOf(
  { conversation }: VersionedConversation,
  change: ConversationChange,
  stored: VersionedConversation,
): Conflict | undefined {
  const base = factsOf(conversation);
  const mine = factsOf({ ...conversation, ...change });
  const record = factsOf(stored.conversation);
  return differences(base, mine, record).length > 0 ? { base, mine, theirs: { record, stored } } : undefined;
}

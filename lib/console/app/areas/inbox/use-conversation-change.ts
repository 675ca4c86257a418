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

/** Two versions of what can be changed of a conversation. */
interface Conflict {
  readonly base: Members;
  readonly mine: Members;
  readonly theirs: { readonly record: Members; readonly stored: VersionedConversation };
}

/**
 * Changes status, assignee or language of the version that is on the screen. When somebody else has stored another one
 * meanwhile, nothing is stored: both are held until it is chosen what is kept.
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
    /** Stores what was chosen on top of their version. */
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

/** @returns undefined when the stored version is what the change would have made */
function conflictOf(
  { conversation }: VersionedConversation,
  change: ConversationChange,
  stored: VersionedConversation,
): Conflict | undefined {
  const [base, mine] = [factsOf(conversation), factsOf({ ...conversation, ...change })];
  const record = factsOf(stored.conversation);
  return differences(base, mine, record).length > 0 ? { base, mine, theirs: { record, stored } } : undefined;
}

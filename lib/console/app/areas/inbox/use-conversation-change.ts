import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#lib/client/api-error.ts';
import type { VersionedConversation } from '#lib/client/conversation-calls.ts';
import type { Conversation, ConversationChange } from '#lib/client/types.ts';
import { client } from '../../data/client.ts';
import { differences } from '../../editing/differences.ts';
import type { Members } from '../../editing/paths.ts';
import { useUndo } from '../../history/use-undo.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { changeTo, factsOf } from './conversation-facts.ts';
import { inboxTexts } from './texts.ts';

/** The first part of their query keys. */
const conversationKey = 'conversations';

interface Attempt {
  /** The version that the change was made from. */
  readonly from: VersionedConversation;
  readonly change: ConversationChange;
  readonly told?: string | undefined;
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
  const toast = useToast();
  const t = useCatalogue(inboxTexts);
  const undo = useUndo();
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ from, change }: Attempt) => {
      try {
        return { etag: (await client.conversations.updateVersioned(id, change, { ifMatch: from.etag })).etag };
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412)) throw error;
        return { conflict: conflictOf(from, change, await client.conversations.getVersioned(id)) };
      }
    },
    onSuccess: ({ etag, conflict }, { from, change, told = t.changed }) => {
      setConflict(conflict);
      if (etag === undefined || etag === from.etag) return;
      const former = formerOf(from.conversation, change);
      const action = undo.of(conversationKey, () => client.conversations.update(id, former, { ifMatch: etag }));
      toast({ text: told, action });
    },
    onError: useFailureToast(),
    onSettled: () => queries.invalidateQueries({ queryKey: [conversationKey] }),
  });
  return {
    isPending,
    conflict,
    /** @param told the text of the toast when it is stored */
    change: (change: ConversationChange, told?: string) => mutate({ from: shown, change, told }),
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

/** The change back: the same members, as they were. */
const formerOf = (before: Conversation, change: ConversationChange): ConversationChange =>
  Object.fromEntries(Object.keys(change).map((name) => [name, before[name as keyof ConversationChange]]));

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

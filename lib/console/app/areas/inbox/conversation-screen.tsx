import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { VersionedConversation } from '#lib/client/conversation-calls.ts';
import { client } from '../../data/client.ts';
import { noticeEndOfSession } from '../../data/query-client.ts';
import { useMay } from '../../data/session-context.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { AgentReply, type RunningReply, useAgentReply } from './agent-reply.tsx';
import { BackLink } from './back-link.tsx';
import { Composer } from './composer.tsx';
import { ConversationHead } from './conversation-head.tsx';
import { agentFor } from './hand-over.ts';
import { Messages } from './messages.tsx';
import { inboxTexts } from './texts.ts';
import type { Thread } from './thread.ts';
import { useConversationChange } from './use-conversation-change.ts';
import { useConversation, useNewVersion } from './use-conversations.ts';
import { type Team, useCustomerName } from './use-names.ts';
import { useThread } from './use-thread.ts';

interface Props {
  readonly id: string;
  readonly team: Team;
}

/** One conversation: its messages, its assignee, and a reply. */
export function ConversationScreen({ id, team }: Props) {
  const t = useCatalogue(inboxTexts);
  const mayEngage = useMay('messaging:conversation:engage');
  const conversation = useConversation(id);
  const { thread, error, refetch, readOlder } = useThread(id);
  const customer = useCustomerName(conversation.data?.conversation.customerId ?? null);
  const reply = useAgentReply(id, refetch);
  useMarkRead(id, thread, mayEngage);
  useNewVersion(conversation, thread);
  const failure = conversation.error ?? error;
  if (failure && !(conversation.data && thread)) {
    const retry = () => {
      void conversation.refetch();
      void refetch();
    };
    return (
      <section className="inbox-conversation" aria-label={t.messages}>
        <BackLink />
        <Failure error={failure} retry={retry} />
      </section>
    );
  }
  if (!conversation.data || !thread) {
    return (
      <section className="inbox-conversation" aria-label={t.messages}>
        <Loading />
      </section>
    );
  }
  return (
    <OpenedConversation
      team={team}
      thread={thread}
      readOlder={readOlder}
      customer={customer}
      reply={reply}
      stored={conversation.data}
      onSent={refetch}
    />
  );
}

const subscribeToVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** Moves the member's read mark to the newest message on the screen, while the page is visible. */
function useMarkRead(id: string, thread: Thread | undefined, mayEngage: boolean): void {
  const queries = useQueryClient();
  const isVisible = useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible');
  const newest = thread?.messages.at(-1)?.id;
  useEffect(() => {
    if (!mayEngage || !isVisible || newest === undefined) return;
    client.conversations.markRead(id, newest).then(
      () => {
        void queries.invalidateQueries({ queryKey: ['conversations', 'list'] });
        void queries.invalidateQueries({ queryKey: ['conversations', 'overview'] });
      },
      // The next message or visit retries.
      (error: Error) => noticeEndOfSession(error),
    );
  }, [id, newest, isVisible, mayEngage, queries]);
}

interface OpenedProps extends Pick<Props, 'team'> {
  readonly stored: VersionedConversation;
  readonly thread: Thread;
  readonly readOlder: ReturnType<typeof useThread>['readOlder'];
  readonly customer: string;
  readonly reply: RunningReply;
  readonly onSent: () => unknown;
}

function OpenedConversation({ team, stored, thread, readOlder, customer, reply, onSent }: OpenedProps) {
  const t = useCatalogue(inboxTexts);
  const mayEngage = useMay('messaging:conversation:engage');
  const running = useConversationChange(stored);
  // The poll is newer than the conversation that was read when the screen was opened.
  const current = { ...stored.conversation, status: thread.status };
  const agent = agentFor(current, team.agents, team.channels);
  return (
    <section className="inbox-conversation" aria-label={customer}>
      <ConversationHead conversation={current} customer={customer} team={team} agent={agent} running={running} />
      <Messages thread={thread} customer={customer} team={team} readOlder={readOlder} replyText={reply.text} />
      {mayEngage ? (
        <>
          <AgentReply conversation={current} thread={thread} agent={agent} reply={reply} />
          <Composer id={current.id} onSent={onSent} />
        </>
      ) : (
        <p className="hint inbox-foot">{t.readOnly}</p>
      )}
    </section>
  );
}

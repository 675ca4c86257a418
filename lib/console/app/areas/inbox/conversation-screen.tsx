import { useMay } from '../../data/session-context.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { AgentReply } from './agent-reply.tsx';
import { BackLink } from './back-link.tsx';
import { Composer } from './composer.tsx';
import { ConversationHead } from './conversation-head.tsx';
import { agentFor } from './hand-over.ts';
import { Messages } from './messages.tsx';
import { inboxTexts } from './texts.ts';
import { useAgentReply } from './use-agent-reply.ts';
import { useConversation } from './use-conversations.ts';
import { useMarkRead } from './use-mark-read.ts';
import { type Team, useCustomerName } from './use-names.ts';
import { useThread } from './use-thread.ts';

interface Props {
  readonly id: string;
  readonly team: Team;
}

/** One conversation: what was written, who has it, and a reply. */
export function ConversationScreen({ id, team }: Props) {
  const t = useCatalogue(inboxTexts);
  const mayEngage = useMay('messaging:conversation:engage');
  const conversation = useConversation(id);
  const { thread, error, refetch, readOlder } = useThread(id);
  const customer = useCustomerName(conversation.data?.customerId ?? null);
  const reply = useAgentReply(id, refetch);
  useMarkRead(id, thread, mayEngage);
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
  // The poll is newer than the conversation that was read when the screen was opened.
  const current = { ...conversation.data, status: thread.status };
  const agent = agentFor(current, team.agents, team.channels);
  return (
    <section className="inbox-conversation" aria-label={customer}>
      <ConversationHead conversation={current} customer={customer} team={team} agent={agent} />
      <Messages thread={thread} customer={customer} team={team} readOlder={readOlder} replyText={reply.text} />
      {mayEngage ? (
        <>
          <AgentReply conversation={current} thread={thread} agent={agent} reply={reply} />
          <Composer id={id} onSent={refetch} />
        </>
      ) : (
        <p className="hint inbox-foot">{t.readOnly}</p>
      )}
    </section>
  );
}

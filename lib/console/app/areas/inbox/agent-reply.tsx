import type { Conversation } from '#lib/client/types.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { isWithTeam } from './hand-over.ts';
import { inboxTexts } from './texts.ts';
import { awaitsReply, type Thread } from './thread.ts';
import type { RunningReply } from './use-agent-reply.ts';
import type { Team } from './use-names.ts';

interface Props {
  readonly conversation: Conversation;
  readonly thread: Thread;
  readonly agent: Team['agents'][number] | undefined;
  readonly reply: RunningReply;
}

/** Shows whether agents answer here, and can request an agent's answer to the customer's last message. */
export function AgentReply({ conversation, thread, agent, reply }: Props) {
  const t = useCatalogue(inboxTexts);
  const question = awaitsReply(thread);
  const name = agent ? agent.name || agent.id : '';
  const isSilent = isWithTeam(conversation);
  return (
    <div className="inbox-agent">
      <p className="hint" role="status">
        {reply.text !== null ? fill(t.answering, { name }) : isSilent ? t.agentSilent : t.agentAnswers}
      </p>
      {agent && question && !isSilent && (
        <button
          type="button"
          className="button small"
          disabled={reply.text !== null}
          onClick={() => void reply.start(agent.id, question.id)}
        >
          {fill(t.letAgent, { name })}
        </button>
      )}
      {reply.failure !== undefined && (
        <p className="notice failed" role="alert">
          {fill(t.refused, { reason: reply.failure })}
        </p>
      )}
    </div>
  );
}

import { useEffect, useRef, useState } from 'react';
import type { Conversation } from '#lib/client/types.ts';
import { client } from '../../data/client.ts';
import { errorText } from '../../data/error-text.ts';
import { noticeEndOfSession } from '../../data/query-client.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useLanguage } from '../../texts/use-texts.tsx';
import { isWithTeam } from './hand-over.ts';
import { inboxTexts } from './texts.ts';
import { awaitsReply, type Thread } from './thread.ts';
import type { Team } from './use-names.ts';

/**
 * Has an agent answer a message, and shows the answer as it is written. The service stores it as a message of the
 * agent, even if the member leaves the screen.
 * @param onEnd called when the thread has news
 */
export function useAgentReply(conversationId: string, onEnd: () => unknown) {
  const t = useCatalogue(inboxTexts);
  const language = useLanguage();
  const [text, setText] = useState<string | null>(null);
  const [failure, setFailure] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (agentId: string, lastMessageId: string) => {
    const controller = new AbortController();
    running.current = controller;
    setFailure(undefined);
    setText('');
    try {
      const question = { agentId, conversationId, lastMessageId };
      for await (const event of client.streamReply(question, controller.signal)) {
        if (event.type === 'delta') setText(event.text);
        if (event.type === 'error') setFailure(event.error);
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      noticeEndOfSession(error as Error);
      setFailure((error as Error).name === 'ReplyBroken' ? t.replyBroken : errorText(error, language));
    }
    await onEnd();
    if (!controller.signal.aborted) setText(null);
  };
  return { text, failure, start };
}
export type RunningReply = ReturnType<typeof useAgentReply>;

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

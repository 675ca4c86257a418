import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { Message } from '#lib/client/types.ts';
import { useCatalogue, useFormatLocale, useTexts } from '../../texts/use-texts.tsx';
import { Empty } from '../../ui/states.tsx';
import { Attachments } from './attachments.tsx';
import { inboxTexts } from './texts.ts';
import type { Thread } from './thread.ts';
import { type Team, useSenderName } from './use-names.ts';

interface Props {
  readonly thread: Thread;
  readonly customer: string;
  readonly team: Team;
  readonly readOlder: { readonly isPending: boolean; readonly mutate: () => void };
  /** The agent's text so far; null if no agent is writing. */
  readonly replyText: string | null;
}

/** The messages, oldest first. The newest one stays visible unless the member has scrolled up. */
export function Messages({ thread, customer, team, readOlder, replyText }: Props) {
  const t = useCatalogue(inboxTexts);
  const { loading } = useTexts();
  const senderName = useSenderName(customer, team);
  const { messages } = thread;
  const { region, noteScroll } = useKeptScroll(messages[0]?.id, `${messages.at(-1)?.id} ${replyText?.length}`);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard.
    <div className="inbox-messages" role="log" aria-label={t.messages} tabIndex={0} ref={region} onScroll={noteScroll}>
      {thread.hasOlder && (
        <button
          type="button"
          className="button small inbox-older"
          disabled={readOlder.isPending}
          onClick={() => readOlder.mutate()}
        >
          {readOlder.isPending ? loading : t.older}
        </button>
      )}
      {messages.length === 0 && <Empty>{t.noMessages}</Empty>}
      <ol>
        {messages.map((message, index) => (
          <Written
            key={message.id}
            message={message}
            sender={senderName(message)}
            isNewDay={dayOf(message.createdAt) !== dayOf(messages[index - 1]?.createdAt)}
          />
        ))}
        {replyText !== null && (
          <li className="inbox-message agent">
            <Bubble sender={t.agent}>
              <p dir="auto">{replyText || '…'}</p>
            </Bubble>
          </li>
        )}
      </ol>
    </div>
  );
}

const dayOf = (time: string | undefined): string => (time === undefined ? '' : new Date(time).toDateString());

interface WrittenProps {
  readonly message: Message;
  readonly sender: string;
  readonly isNewDay: boolean;
}

function Written({ message, sender, isNewDay }: WrittenProps) {
  const locale = useFormatLocale();
  const { createdAt, senderType, text, attachments } = message;
  const time = new Date(createdAt);
  return (
    <>
      {isNewDay && (
        <li className="inbox-day">
          <time dateTime={createdAt}>{time.toLocaleDateString(locale, { dateStyle: 'full' })}</time>
        </li>
      )}
      <li className={`inbox-message ${senderType}`}>
        <Bubble
          sender={sender}
          time={<time dateTime={createdAt}>{time.toLocaleTimeString(locale, { timeStyle: 'short' })}</time>}
        >
          {text !== '' && <p dir="auto">{text}</p>}
          <Attachments files={attachments} />
        </Bubble>
      </li>
    </>
  );
}

function Bubble(props: { readonly sender: string; readonly time?: ReactNode; readonly children: ReactNode }) {
  return (
    <>
      <div className="inbox-by">
        <b dir="auto">{props.sender}</b> {props.time}
      </div>
      <div className="inbox-bubble">{props.children}</div>
    </>
  );
}

const nearPixels = 80;

/**
 * Keeps the scroll position: at the end, or at the same message when older messages are added.
 * @param first changes when a message is added before, and `last` when one is added after
 */
function useKeptScroll(first: string | undefined, last: string) {
  const region = useRef<HTMLDivElement>(null);
  const seen = useRef({ first: undefined as string | undefined, height: 0, isAtEnd: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: messages at the end move it, too.
  useLayoutEffect(() => {
    const box = region.current;
    if (!box) return;
    const before = seen.current;
    if (before.isAtEnd) box.scrollTop = box.scrollHeight;
    else if (before.first !== first) box.scrollTop += box.scrollHeight - before.height;
    seen.current = { ...before, first, height: box.scrollHeight };
  }, [first, last]);
  useEffect(() => {
    const box = region.current;
    if (!box) return;
    // The name above loads later, pictures grow, and a phone shows its keyboard.
    const observer = new ResizeObserver(() => {
      if (seen.current.isAtEnd) box.scrollTop = box.scrollHeight;
    });
    for (const element of [box, ...box.children]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const noteScroll = () => {
    const box = region.current;
    if (box) seen.current.isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < nearPixels;
  };
  return { region, noteScroll };
}

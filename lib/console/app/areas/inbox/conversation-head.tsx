import type { Conversation } from '#lib/client/types.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Options } from '../../ui/options.tsx';
import { AssigneeSelect } from './assignee-select.tsx';
import { BackLink } from './back-link.tsx';
import { ConversationConflict } from './conversation-conflict.tsx';
import { ConversationDetails } from './conversation-details.tsx';
import { statuses } from './conversation-query.ts';
import { handBack, isWithTeam } from './hand-over.ts';
import { inboxTexts } from './texts.ts';
import type { RunningChange } from './use-conversation-change.ts';
import type { Team } from './use-names.ts';

interface Props {
  readonly conversation: Conversation;
  readonly customer: string;
  readonly team: Team;
  /** The agent that replies after the conversation is handed back. */
  readonly agent: Team['agents'][number] | undefined;
  readonly running: RunningChange;
}

/** The customer, the assignee and the status of a conversation. */
export function ConversationHead({ conversation, customer, team, agent, running }: Props) {
  const t = useCatalogue(inboxTexts);
  const { id: own } = useProfile();
  const mayEngage = useMay('messaging:conversation:engage');
  const { assignee, status } = conversation;
  const isDisabled = !mayEngage || running.isPending;
  const isMine = assignee?.type === 'member' && assignee.id === own;
  const takeOver = () => running.change({ assignee: { type: 'member', id: own } }, t.takenOver);
  const giveBack = ({ id, name }: { readonly id: string; readonly name: string }) =>
    running.change(handBack(status, id), fill(t.handedBack, { name }));
  return (
    <header className="inbox-head">
      <div className="inbox-head-line">
        <BackLink />
        <h2 dir="auto">{customer}</h2>
        <div className="actions">
          {mayEngage && !isMine && (
            <button type="button" className="button small primary" disabled={isDisabled} onClick={takeOver}>
              {t.takeOver}
            </button>
          )}
          {mayEngage && agent && isWithTeam(conversation) && (
            <button type="button" className="button small" disabled={isDisabled} onClick={() => giveBack(agent)}>
              {fill(t.handBack, { name: agent.name || agent.id })}
            </button>
          )}
        </div>
      </div>
      <div className="inbox-head-line inbox-head-choices">
        <AssigneeSelect
          assignee={assignee}
          team={team}
          isDisabled={isDisabled}
          assign={(next) => running.change({ assignee: next })}
        />
        <label className="inbox-choice">
          <span className="label">{t.status}</span>
          <select
            value={status}
            disabled={isDisabled}
            onChange={({ target }) => running.change({ status: target.value as typeof status })}
          >
            <Options of={statuses.map((status) => ({ value: status, label: t[status] }))} />
          </select>
        </label>
      </div>
      <ConversationDetails conversation={conversation} team={team} isDisabled={isDisabled} change={running.change} />
      <ConversationConflict running={running} team={team} />
    </header>
  );
}

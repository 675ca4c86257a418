import type { Conversation, ConversationChange } from '#lib/client/types.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { useMay } from '../../data/session-context.tsx';
import { LanguageButton } from '../../languages/language-button.tsx';
import { useCatalogue, useShownTime, useTexts } from '../../texts/use-texts.tsx';
import { inboxTexts } from './texts.ts';
import { type Team, useCustomer } from './use-names.ts';

interface Props {
  readonly conversation: Conversation;
  readonly team: Team;
  readonly isDisabled: boolean;
  readonly change: (change: ConversationChange) => void;
}

/** The details of the customer and of the conversation. */
export function ConversationDetails({ conversation, team, isDisabled, change }: Props) {
  const t = useCatalogue(inboxTexts);
  const { none } = useTexts();
  const shownTime = useShownTime();
  const customer = useCustomer(conversation.customerId);
  // Without the permission, only a meaningless id could be shown.
  const maySeeChannels = useMay('messaging:channel:read');
  const channel = team.channels.find(({ id }) => id === conversation.channelId);
  const facts: readonly (readonly [string, string | null | undefined | false, 'auto' | 'ltr'])[] = [
    [t.name, customer?.name, 'auto'],
    [t.email, shownEmail(customer?.email ?? ''), 'ltr'],
    [t.phone, customer?.phone, 'ltr'],
    [t.externalId, customer?.externalId, 'ltr'],
    [t.channel, channel ? (channel.name ?? channel.identifier) : maySeeChannels && conversation.channelId, 'auto'],
    [t.began, shownTime(conversation.createdAt), 'auto'],
  ];
  return (
    <details className="inbox-details">
      <summary>{t.details}</summary>
      <dl>
        {facts.map(
          ([label, value, direction]) =>
            value && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <bdi dir={direction}>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      {/* The customer's language, in which agents reply. */}
      <LanguageButton
        label={t.language}
        code={conversation.language}
        none={none}
        choose={(language) => change({ language })}
        className="inbox-choice"
        isDisabled={isDisabled}
      />
    </details>
  );
}

import type { Conversation, ConversationChange } from '#lib/client/types.ts';
import { useProfile } from '../../data/session-context.tsx';
import { useCatalogue, useFormatLocale, useTexts } from '../../texts/use-texts.tsx';
import { languageName } from './language-name.ts';
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
  const locale = useFormatLocale();
  const customer = useCustomer(conversation.customerId);
  const channel = team.channels.find(({ id }) => id === conversation.channelId);
  const facts: readonly (readonly [string, string | null | undefined, 'auto' | 'ltr'])[] = [
    [t.name, customer?.name, 'auto'],
    [t.email, customer?.email, 'ltr'],
    [t.phone, customer?.phone, 'ltr'],
    [t.externalId, customer?.externalId, 'ltr'],
    [t.channel, channel ? (channel.name ?? channel.identifier) : conversation.channelId, 'auto'],
    [
      t.began,
      new Date(conversation.createdAt).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' }),
      'auto',
    ],
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
      <LanguageSelect language={conversation.language} isDisabled={isDisabled} change={change} />
    </details>
  );
}

interface LanguageProps extends Pick<Props, 'isDisabled' | 'change'> {
  readonly language: string | null;
}

/** The language that the customer speaks, which agents answer in. */
function LanguageSelect({ language, isDisabled, change }: LanguageProps) {
  const t = useCatalogue(inboxTexts);
  const { none } = useTexts();
  const locale = useFormatLocale();
  const { languages } = useProfile().workspace;
  // One that the workspace does not have any more is still shown.
  const codes = [...new Set([...languages, ...(language === null ? [] : [language])])];
  return (
    <label className="inbox-choice">
      <span className="label">{t.language}</span>
      <select
        value={language ?? ''}
        disabled={isDisabled}
        onChange={({ target }) => change({ language: target.value || null })}
      >
        <option value="">{none}</option>
        {codes.map((code) => (
          <option key={code} value={code}>
            {languageName(code, locale)}
          </option>
        ))}
      </select>
    </label>
  );
}

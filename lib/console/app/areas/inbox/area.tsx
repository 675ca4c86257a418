import { useRoute } from 'wouter';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Empty } from '../../ui/states.tsx';
import { ConversationList } from './conversation-list.tsx';
import { ConversationScreen } from './conversation-screen.tsx';
import { inboxTexts } from './texts.ts';
import { useTeam } from './use-names.ts';

/** The list beside the open conversation. A narrow screen shows one of the two. */
export function Area() {
  const t = useCatalogue(inboxTexts);
  const { inbox } = useTexts();
  const team = useTeam();
  const [isOpen, params] = useRoute('/inbox/:id');
  return (
    <>
      <h1 className={isOpen ? 'inbox-title open' : 'inbox-title'}>{inbox}</h1>
      <div className={isOpen ? 'inbox open' : 'inbox'}>
        <ConversationList team={team} chosen={params?.id} />
        {params ? (
          <ConversationScreen key={params.id} id={params.id} team={team} />
        ) : (
          <section className="inbox-conversation inbox-none">
            <Empty>{t.choose}</Empty>
          </section>
        )}
      </div>
    </>
  );
}

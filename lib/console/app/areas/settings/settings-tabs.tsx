import { useProfile } from '../../data/session-context.tsx';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { messagingKinds } from './messaging/kinds.ts';
import { messagingTexts } from './messaging/texts.ts';
import { webhookTexts } from './webhooks/texts.ts';

/** The parts of the settings that the member may see. */
export function SettingsTabs() {
  const t = useCatalogue(messagingTexts);
  const { permissions } = useProfile();
  const tabs = messagingKinds.map(({ kind, read }) => ({
    to: `/settings/${kind}`,
    label: t[kind],
    isShown: permissions.includes(read),
  }));
  const webhooks = {
    to: '/settings/webhooks',
    label: useCatalogue(webhookTexts).webhooks,
    isShown: permissions.includes('webhooks:webhook:read'),
  };
  const general = { to: '/settings', label: t.general, isShown: true };
  return <Tabs label={useTexts().settings} tabs={[general, ...tabs, webhooks]} />;
}

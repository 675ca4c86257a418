import { useMay } from '../../data/session-context.tsx';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { accessTexts } from './texts.ts';

export function AccessTabs() {
  const t = useCatalogue(accessTexts);
  const tabs = [
    { to: '/access/keys', label: t.keys, isShown: useMay('access:key:read') },
    { to: '/access/members', label: t.members, isShown: useMay('access:member:read') },
  ];
  return <Tabs label={useTexts().access} tabs={tabs} />;
}

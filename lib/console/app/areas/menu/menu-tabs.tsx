import { useMay } from '../../data/session-context.tsx';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { menuTexts } from './texts.ts';

/** The two lists of the area. */
export function MenuTabs() {
  const t = useCatalogue(menuTexts);
  const tabs = [
    { to: '/menu', label: t.products, isShown: useMay('menu:product:manage', 'menu:product:availability') },
    { to: '/menu/categories', label: t.categories, isShown: useMay('menu:category:manage') },
  ];
  return <Tabs label={useTexts().menu} tabs={tabs} />;
}

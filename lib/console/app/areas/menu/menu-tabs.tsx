import { Link, useLocation } from 'wouter';
import { useMay } from '../../data/session-context.tsx';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { menuTexts } from './texts.ts';

/** The two lists of the area, for members who may see both. */
export function MenuTabs() {
  const t = useCatalogue(menuTexts);
  const { menu } = useTexts();
  const [location] = useLocation();
  const lists = [
    { to: '/menu', label: t.products, isShown: useMay('menu:product:manage', 'menu:product:availability') },
    { to: '/menu/categories', label: t.categories, isShown: useMay('menu:category:manage') },
  ].filter(({ isShown }) => isShown);
  if (lists.length < 2) return null;
  return (
    <nav className="tabs" aria-label={menu}>
      {lists.map(({ to, label }) => (
        <Link key={to} href={to} className="tab" aria-current={location === to ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

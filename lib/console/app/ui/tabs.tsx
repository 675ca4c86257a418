import { Link, useLocation } from 'wouter';

interface Props {
  readonly label: string;
  readonly tabs: readonly { readonly to: string; readonly label: string; readonly isShown: boolean }[];
}

/** The lists of an area, for members who may see more than one of them. */
export function Tabs({ label, tabs }: Props) {
  const [location] = useLocation();
  const shown = tabs.filter(({ isShown }) => isShown);
  if (shown.length < 2) return null;
  return (
    <nav className="tabs" aria-label={label}>
      {shown.map((tab) => (
        <Link key={tab.to} href={tab.to} className="tab" aria-current={location === tab.to ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}

import { useEffect, useState, useSyncExternalStore } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Link, useLocation } from 'wouter';
import { areas } from '../areas.tsx';
import { useProfile } from '../data/session-context.tsx';
import { useTexts } from '../texts/use-texts.tsx';
import { AreaIcon, BrandMark, CloseIcon, MenuIcon } from '../ui/icons.tsx';
import { Account } from './account.tsx';

/** The navigation: beside the content if the window is wide enough, else behind a button. */
export function Navigation() {
  const t = useTexts();
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const [location] = useLocation();
  const { name } = useProfile().workspace;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes it.
  useEffect(() => setOpen(false), [location, isNarrow]);
  if (!isNarrow) {
    return (
      <header className="sidebar">
        <Links />
        <Account />
      </header>
    );
  }
  return (
    <header className="topbar">
      <button type="button" className="button icon" aria-label={t.openNavigation} onClick={() => setOpen(true)}>
        <MenuIcon />
      </button>
      <span className="topbar-name" dir="auto">
        {name}
      </span>
      <ModalOverlay className="drawer-backdrop" isOpen={isOpen} onOpenChange={setOpen} isDismissable>
        <Modal className="drawer">
          <Dialog className="drawer-dialog" aria-label={t.mainNavigation}>
            <button
              type="button"
              className="button icon drawer-close"
              aria-label={t.closeNavigation}
              onClick={() => setOpen(false)}
            >
              <CloseIcon />
            </button>
            <Links />
            <Account />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </header>
  );
}

const narrow = window.matchMedia('(max-width: 860px)');

const subscribeToWidth = (listener: () => void) => {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
};

/** Whether the window is too narrow for a navigation beside the content. */
const useIsNarrow = (): boolean => useSyncExternalStore(subscribeToWidth, () => narrow.matches);

function Links() {
  const t = useTexts();
  const { permissions: own, workspace } = useProfile();
  const [location] = useLocation();
  const shown = areas.filter(
    ({ permissions }) => permissions.length === 0 || permissions.some((permission) => own.includes(permission)),
  );
  return (
    <nav aria-label={t.mainNavigation} className="nav">
      <p className="nav-brand">
        <BrandMark />
        <span dir="auto">{workspace.name}</span>
      </p>
      <ul>
        {shown.map(({ name }) => {
          const isHere = location === `/${name}` || location.startsWith(`/${name}/`);
          return (
            <li key={name}>
              <Link href={`/${name}`} className="nav-link" aria-current={isHere ? 'page' : undefined}>
                <AreaIcon area={name} />
                {t[name]}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

import { useEffect, useRef } from 'react';
import { guardLeaving } from '../shell/location.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { editingTexts } from './texts.ts';

/**
 * Asks before the user leaves a screen with unsaved changes, by a link, a browser button, or closing the page.
 * @param discard removes the changes after the member has confirmed
 */
export function useLeaveGuard(isDirty: boolean, discard: () => void): void {
  const t = useCatalogue(editingTexts);
  const confirm = useConfirm();
  const latest = useRef(discard);
  latest.current = discard;
  useEffect(() => {
    if (!isDirty) return;
    const release = guardLeaving(async () => {
      const question = { title: t.leaveTitle, text: t.leaveText, action: t.leave, cancel: t.stay, isDangerous: true };
      const mayLeave = await confirm(question);
      if (mayLeave) latest.current();
      return mayLeave;
    });
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => {
      release();
      window.removeEventListener('beforeunload', warn);
    };
  }, [isDirty, confirm, t]);
}

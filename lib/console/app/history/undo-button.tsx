import { useMutation } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { errorText } from '../data/error-text.ts';
import { editingTexts } from '../editing/texts.ts';
import type { Language } from '../texts/catalogue.ts';
import { useCatalogue, useLanguage } from '../texts/use-texts.tsx';
import { type Toast, useToast } from '../ui/toasts.tsx';
import { historyTexts } from './texts.ts';
import { isStale, NoEarlierVersion } from './undo.ts';

/** Undoes a change. @returns what to say instead of `Undone.` */
type Undo = () => Promise<Toast | undefined>;

export function undoErrorText(error: unknown, language: Language): string {
  if (isStale(error)) return historyTexts[language].stale;
  return error instanceof NoEarlierVersion ? historyTexts[language].noEarlier : errorText(error, language);
}

/** It stands in a toast, outside of the screen that has made the change. Ctrl + Z presses it, too. */
export function UndoButton({ undo }: { readonly undo: Undo }) {
  const t = useCatalogue(historyTexts);
  const { undo: label } = useCatalogue(editingTexts);
  const toast = useToast();
  const language = useLanguage();
  const button = useRef<HTMLButtonElement>(null);
  const work = useMutation({
    mutationFn: undo,
    onSuccess: (told) => toast(told ?? { text: t.undone }),
    onError: (error) => toast({ kind: 'failed', text: undoErrorText(error, language) }),
  });
  useShortcut(button);
  return (
    <button
      ref={button}
      type="button"
      className="button small"
      aria-keyshortcuts="Control+Z Meta+Z"
      disabled={work.isPending}
      onClick={() => work.mutate()}
    >
      {label}
    </button>
  );
}

function useShortcut(button: RefObject<HTMLButtonElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const newest = [...document.querySelectorAll('.toast [aria-keyshortcuts]')].at(-1);
      if (!isUndo(event) || isText(event.target) || newest !== button.current) return;
      event.preventDefault();
      button.current?.click();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [button]);
}

/** A keyboard without Latin letters has another one at this place. */
const isUndo = ({ ctrlKey, metaKey, shiftKey, altKey, key, code }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !shiftKey && !altKey && (/^[a-z]$/i.test(key) ? key.toLowerCase() === 'z' : code === 'KeyZ');

/** The browser undoes what was typed. */
const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type="checkbox"], [type="radio"]), textarea');

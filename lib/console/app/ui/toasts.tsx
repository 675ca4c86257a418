import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react';
import { errorText } from '../data/error-text.ts';
import { useLanguage, useTexts } from '../texts/use-texts.tsx';
import { CloseIcon } from './icons.tsx';

export interface Toast {
  readonly text: string;
  readonly kind?: 'done' | 'failed';
  /** An action. A toast with an action stays until it is closed, or something else is done. */
  readonly action?: ReactNode;
}

type Shown = Toast & { readonly id: number };

/** Shows a toast. @returns a function that closes it */
type Show = (toast: Toast) => () => void;

const ToastContext = createContext<Show>(() => () => undefined);

const shownMilliseconds = 6_000;

/** Short messages at the edge of the screen, read out by screen readers. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const t = useTexts();
  const [toasts, setToasts] = useState<readonly Shown[]>([]);
  const count = useRef(0);
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const show = useCallback(
    (toast: Toast) => {
      count.current += 1;
      const id = count.current;
      // What was done last is what can be undone; after a failure it still can be.
      setToasts((all) => [
        ...all.filter(({ action }) => !action || toast.kind === 'failed').slice(-2),
        { ...toast, id },
      ]);
      if (toast.kind !== 'failed' && !toast.action) setTimeout(() => close(id), shownMilliseconds);
      return () => close(id);
    },
    [close],
  );
  return (
    <ToastContext value={show}>
      {children}
      <section className="toasts" aria-label={t.notifications} aria-live="polite">
        {toasts.map(({ id, text, kind, action }) => (
          <div key={id} className={`toast ${kind ?? 'done'}`} data-react-aria-top-layer="true">
            <span>{text}</span>
            {action}
            <button type="button" className="button icon" aria-label={t.dismiss} onClick={() => close(id)}>
              <CloseIcon />
            </button>
          </div>
        ))}
      </section>
    </ToastContext>
  );
}

export const useToast = (): Show => use(ToastContext);

/** For `onError` of a mutation. */
export function useFailureToast(): (error: unknown) => void {
  const show = useToast();
  const language = useLanguage();
  return (error) => void show({ kind: 'failed', text: errorText(error, language) });
}

import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { Dialog } from './dialog.tsx';

export interface Question {
  readonly title: string;
  readonly text?: string;
  /** The label of the confirming button. */
  readonly action: string;
  readonly cancel?: string;
  readonly isDangerous?: boolean;
}

type OpenQuestion = Question & { readonly answer: (yes: boolean) => void };

const ConfirmContext = createContext<(question: Question) => Promise<boolean>>(() => Promise.resolve(false));

/** Asks yes-or-no questions in a dialog. */
export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const t = useTexts();
  const [open, setOpen] = useState<OpenQuestion | null>(null);
  const ask = useCallback(
    (question: Question) =>
      new Promise<boolean>((resolve) => {
        setOpen({ ...question, answer: resolve });
      }),
    [],
  );
  const answer = (yes: boolean) => {
    open?.answer(yes);
    setOpen(null);
  };
  return (
    <ConfirmContext value={ask}>
      {children}
      <Dialog title={open?.title ?? ''} isOpen={open !== null} close={() => answer(false)} isAlert>
        {open?.text !== undefined && <p>{open.text}</p>}
        <div className="actions">
          <button type="button" className="button" onClick={() => answer(false)}>
            {open?.cancel ?? t.cancel}
          </button>
          <button
            type="button"
            className={`button ${open?.isDangerous ? 'danger' : 'primary'}`}
            onClick={() => answer(true)}
          >
            {open?.action}
          </button>
        </div>
      </Dialog>
    </ConfirmContext>
  );
}

/** @returns a function that asks; its promise is true after a confirmation */
export const useConfirm = () => use(ConfirmContext);

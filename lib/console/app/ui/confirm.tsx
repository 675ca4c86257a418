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

type Asked = Question & { readonly answer: (yes: boolean) => void };

const ConfirmContext = createContext<(question: Question) => Promise<boolean>>(() => Promise.resolve(false));

/** Asks yes-or-no questions in a dialog. */
export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const t = useTexts();
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = useCallback(
    (question: Question) =>
      new Promise<boolean>((resolve) => {
        setAsked({ ...question, answer: resolve });
      }),
    [],
  );
  const answer = (yes: boolean) => {
    asked?.answer(yes);
    setAsked(null);
  };
  return (
    <ConfirmContext value={ask}>
      {children}
      <Dialog title={asked?.title ?? ''} isOpen={asked !== null} close={() => answer(false)} isAlert>
        {asked?.text !== undefined && <p>{asked.text}</p>}
        <div className="actions">
          <button type="button" className="button" onClick={() => answer(false)}>
            {asked?.cancel ?? t.cancel}
          </button>
          <button
            type="button"
            className={`button ${asked?.isDangerous ? 'danger' : 'primary'}`}
            onClick={() => answer(true)}
          >
            {asked?.action}
          </button>
        </div>
      </Dialog>
    </ConfirmContext>
  );
}

/** @returns a function that asks; its promise is true after a confirmation */
export const useConfirm = () => use(ConfirmContext);

import { useState } from 'react';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { secretTexts } from './texts.ts';

/** A new secret. `secret` is undefined if a retry could not return it. */
export interface Revealed {
  readonly id: string;
  readonly name: string;
  readonly secret: string | undefined;
}

/** Shows a secret that cannot be shown later. Only this screen has it: no query, draft or URL. */
export function SecretDialog({ revealed, close }: { readonly revealed: Revealed; readonly close: () => void }) {
  const t = useCatalogue(secretTexts);
  const [status, setStatus] = useState('');
  const { name, secret } = revealed;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret ?? '');
      setStatus(t.copied);
    } catch {
      setStatus(t.copyFailed);
    }
  };
  return (
    // Escape does not close it: the secret would be lost.
    <Dialog title={t.secretTitle} isOpen close={() => undefined} isAlert>
      {secret === undefined ? (
        <p className="notice">{t.secretLost}</p>
      ) : (
        <>
          <p>{fill(t.secretOf, { name })}</p>
          <code className="secret" dir="ltr">
            {secret}
          </code>
          <p className="notice">{t.secretWarning}</p>
          <p className="hint" role="status">
            {status}
          </p>
        </>
      )}
      <div className="actions">
        {secret !== undefined && (
          <button type="button" className="button" onClick={copy}>
            {t.copy}
          </button>
        )}
        <button type="button" className="button primary" onClick={close}>
          {t.secretStored}
        </button>
      </div>
    </Dialog>
  );
}

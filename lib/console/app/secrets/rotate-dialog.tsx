import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../texts/use-texts.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Options } from '../ui/options.tsx';
import { useFailureToast } from '../ui/toasts.tsx';
import { secretTexts } from './texts.ts';

/** The grace periods of a previous secret, in seconds. The service accepts at most seven days. */
const graceChoices = [0, 3_600, 86_400, 604_800] as const;

/** The answer to a retry may lack the secret. */
interface Rotated {
  readonly secret?: string | undefined;
}

export type Rotate = (graceSeconds: number, options: { readonly idempotencyKey: string }) => Promise<Rotated>;

interface Props {
  readonly name: string;
  readonly rotate: Rotate;
  readonly close: () => void;
  readonly onRotated: (secret: string | undefined) => void;
}

/** Asks for the grace period of the old secret, and makes a new one. */
export function RotateDialog({ name, rotate: send, close, onRotated }: Props) {
  const t = useCatalogue(secretTexts);
  const { cancel } = useTexts();
  const [grace, setGrace] = useState<number>(graceChoices[0]);
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const rotate = useMutation({
    mutationFn: () => send(grace, { idempotencyKey }),
    onSuccess: ({ secret }) => onRotated(secret),
    onError: useFailureToast(),
    // The answer contains the secret, so it is not cached.
    gcTime: 0,
  });
  const labels = { 0: t.graceNone, 3600: t.graceHour, 86400: t.graceDay, 604800: t.graceWeek };
  return (
    <Dialog title={fill(t.rotateTitle, { name })} isOpen close={close}>
      <p>{t.rotateText}</p>
      <Field label={t.rotateGrace}>
        {(attributes) => (
          <select {...attributes} value={grace} onChange={({ target }) => setGrace(Number(target.value))}>
            <Options of={graceChoices.map((seconds) => ({ value: seconds, label: labels[seconds] }))} />
          </select>
        )}
      </Field>
      <div className="actions">
        <button type="button" className="button" onClick={close}>
          {cancel}
        </button>
        <button type="button" className="button primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
          {t.rotate}
        </button>
      </div>
    </Dialog>
  );
}

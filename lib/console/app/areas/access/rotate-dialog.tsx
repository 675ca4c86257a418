import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Options } from '../../ui/options.tsx';
import { useFailureToast } from '../../ui/toasts.tsx';
import { graceChoices } from './key-state.ts';
import { accessTexts } from './texts.ts';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly close: () => void;
  readonly onRotated: (secret: string | undefined) => void;
}

/** Asks for the grace period of the old secret, and makes a new one. */
export function RotateDialog({ id, name, close, onRotated }: Props) {
  const t = useCatalogue(accessTexts);
  const { cancel } = useTexts();
  const [grace, setGrace] = useState<number>(graceChoices[0]);
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const rotate = useMutation({
    mutationFn: () => client.access.rotateKey(id, grace, { idempotencyKey }),
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

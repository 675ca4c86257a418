import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { useRefresh } from '../../data/records.ts';
import type { RecordEditor } from '../../editing/use-record-editor.ts';
import { RotateDialog } from '../../secrets/rotate-dialog.tsx';
import type { Revealed } from '../../secrets/secret-dialog.tsx';
import { secretTexts } from '../../secrets/texts.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { type Ends, keyState } from './key-state.ts';
import { accessTexts } from './texts.ts';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly ends: Ends;
  readonly editor: RecordEditor;
  readonly reveal: (revealed: Revealed) => void;
  /** Called when an action has changed the key. */
  readonly onChanged: () => void;
}

/** Rotates or revokes a key, or restores a revoked one. The actions take effect immediately and keep unsaved fields. */
export function KeyActions({ id, name, ends, editor, reveal, onChanged }: Props) {
  const t = useCatalogue(accessTexts);
  const secrets = useCatalogue(secretTexts);
  const confirm = useConfirm();
  const toast = useToast();
  const refresh = useRefresh();
  const [isRotating, setRotating] = useState(false);
  const isRevoked = keyState(ends, Date.now()) === 'revoked';
  const change = useMutation({
    mutationFn: (revokedAt: string | null) => client.access.updateKey(id, { revokedAt }),
    onSuccess: async (_, revokedAt) => {
      toast({ text: revokedAt === null ? t.restored : t.nowRevoked });
      await refresh('api-keys');
      onChanged();
    },
    onError: useFailureToast(),
  });
  const revoke = async () => {
    const question = { title: fill(t.revokeTitle, { name }), text: t.revokeText, action: t.revoke, isDangerous: true };
    if (await confirm(question)) change.mutate(new Date().toISOString());
  };
  // Unsaved fields belong to the version before, so they are saved or dropped first.
  const isBusy = change.isPending || editor.isDirty;
  if (isRevoked) {
    return (
      <button type="button" className="button" disabled={isBusy} onClick={() => change.mutate(null)}>
        {t.restore}
      </button>
    );
  }
  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={() => setRotating(true)}>
        {secrets.rotate}
      </button>
      <button type="button" className="button quiet warns" disabled={isBusy} onClick={revoke}>
        {t.revoke}
      </button>
      {isRotating && (
        <RotateDialog
          name={name}
          rotate={(grace, options) => client.access.rotateKey(id, grace, options)}
          close={() => setRotating(false)}
          onRotated={(secret) => {
            setRotating(false);
            reveal({ id, name, secret });
            onChanged();
          }}
        />
      )}
    </>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../data/client.ts';
import { useRefresh } from '../../../data/records.ts';
import type { RecordEditor } from '../../../editing/use-record-editor.ts';
import { RotateDialog } from '../../../secrets/rotate-dialog.tsx';
import type { Revealed } from '../../../secrets/secret-dialog.tsx';
import { secretTexts } from '../../../secrets/texts.ts';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { useFailureToast, useToast } from '../../../ui/toasts.tsx';
import { webhookTexts } from './texts.ts';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly editor: RecordEditor;
  readonly reveal: (revealed: Revealed) => void;
  /** Called when an action has changed the webhook. */
  readonly onChanged: () => void;
}

/** Switches a webhook on or off, or rotates its secret. The actions take effect immediately. */
export function WebhookActions({ id, name, isEnabled, editor, reveal, onChanged }: Props) {
  const t = useCatalogue(webhookTexts);
  const secrets = useCatalogue(secretTexts);
  const toast = useToast();
  const refresh = useRefresh();
  const [isRotating, setRotating] = useState(false);
  const change = useMutation({
    mutationFn: (enabled: boolean) => client.manage.webhooks.update(id, { enabled }),
    onSuccess: async (_, enabled) => {
      toast({ text: enabled ? t.nowOn : t.nowOff });
      await refresh('webhooks');
      onChanged();
    },
    onError: useFailureToast(),
  });
  // Unsaved fields belong to the version before, so they are saved or dropped first.
  const isBusy = change.isPending || editor.isDirty;
  return (
    <>
      <button type="button" className="button" disabled={isBusy} onClick={() => change.mutate(!isEnabled)}>
        {isEnabled ? t.switchOff : t.switchOn}
      </button>
      <button type="button" className="button" disabled={isBusy} onClick={() => setRotating(true)}>
        {secrets.rotate}
      </button>
      {isRotating && (
        <RotateDialog
          name={name}
          rotate={(grace, options) => client.manage.webhooks.rotate(id, grace, options)}
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

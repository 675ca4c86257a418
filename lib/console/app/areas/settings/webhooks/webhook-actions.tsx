import { client } from '../../../data/client.ts';
import type { RecordEditor } from '../../../editing/use-record-editor.ts';
import { usePatch } from '../../../history/use-patch.ts';
import { RotateButton } from '../../../secrets/rotate-button.tsx';
import type { Revealed } from '../../../secrets/secret-dialog.tsx';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { webhookTexts } from './texts.ts';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly editor: RecordEditor;
  readonly reveal: (revealed: Revealed) => void;
}

/** Switches a webhook on or off, or rotates its secret. The actions take effect immediately. */
export function WebhookActions({ id, name, isEnabled, editor, reveal }: Props) {
  const t = useCatalogue(webhookTexts);
  const { mutate, isPending } = usePatch('webhooks', client.manage.webhooks);
  // Unsaved fields belong to the version before, so they are saved or dropped first.
  const isBusy = isPending || editor.isDirty;
  const patch = { enabled: !isEnabled };
  const former = { enabled: isEnabled };
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={isBusy}
        onClick={() => mutate({ id, patch, former, text: isEnabled ? t.nowOff : t.nowOn })}
      >
        {isEnabled ? t.switchOff : t.switchOn}
      </button>
      <RotateButton
        name={name}
        editor={editor}
        rotate={(grace, options) => client.manage.webhooks.rotate(id, grace, options)}
        reveal={reveal}
        isDisabled={isBusy}
      />
    </>
  );
}

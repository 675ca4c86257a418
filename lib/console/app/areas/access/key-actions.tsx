import { keyCalls } from '../../data/access-calls.ts';
import { client } from '../../data/client.ts';
import type { RecordEditor } from '../../editing/use-record-editor.ts';
import { usePatch } from '../../history/use-patch.ts';
import { RotateButton } from '../../secrets/rotate-button.tsx';
import type { Revealed } from '../../secrets/secret-dialog.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { type Ends, keyState } from './key-state.ts';
import { accessTexts } from './texts.ts';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly ends: Ends;
  readonly editor: RecordEditor;
  readonly reveal: (revealed: Revealed) => void;
}

/** Rotates or revokes a key, or restores a revoked one. The actions take effect immediately. */
export function KeyActions({ id, name, ends, editor, reveal }: Props) {
  const t = useCatalogue(accessTexts);
  const confirm = useConfirm();
  const { mutate, isPending } = usePatch('api-keys', keyCalls);
  const isRevoked = keyState(ends, Date.now()) === 'revoked';
  const change = (revokedAt: string | null, text: string) =>
    mutate({ id, patch: { revokedAt }, former: { revokedAt: ends.revokedAt }, text });
  const revoke = async () => {
    const question = { title: fill(t.revokeTitle, { name }), text: t.revokeText, action: t.revoke, isDangerous: true };
    if (await confirm(question)) change(new Date().toISOString(), t.nowRevoked);
  };
  // Unsaved fields belong to the version before, so they are saved or dropped first.
  const isBusy = isPending || editor.isDirty;
  if (isRevoked) {
    return (
      <button type="button" className="button" disabled={isBusy} onClick={() => change(null, t.restored)}>
        {t.restore}
      </button>
    );
  }
  return (
    <>
      <RotateButton
        name={name}
        editor={editor}
        rotate={(grace, options) => client.access.rotateKey(id, grace, options)}
        reveal={reveal}
        isDisabled={isBusy}
      />
      <button type="button" className="button quiet warns" disabled={isBusy} onClick={revoke}>
        {t.revoke}
      </button>
    </>
  );
}

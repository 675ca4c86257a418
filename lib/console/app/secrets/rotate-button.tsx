import { useState } from 'react';
import { announceStored } from '../editing/use-editing.ts';
import type { RecordEditor } from '../editing/use-record-editor.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { type Rotate, RotateDialog } from './rotate-dialog.tsx';
import type { Revealed } from './secret-dialog.tsx';
import { secretTexts } from './texts.ts';

interface Props {
  readonly name: string;
  readonly editor: RecordEditor;
  readonly rotate: Rotate;
  readonly reveal: (revealed: Revealed) => void;
  readonly isDisabled: boolean;
}

/** Gives the record of a form another secret, after a question. */
export function RotateButton({ name, editor: { kind, calls, id = '' }, rotate, reveal, isDisabled }: Props) {
  const t = useCatalogue(secretTexts);
  const [isOpen, setOpen] = useState(false);
  const showVersion = async () => announceStored(kind, await calls.get(id));
  return (
    <>
      <button type="button" className="button" disabled={isDisabled} onClick={() => setOpen(true)}>
        {t.rotate}
      </button>
      {isOpen && (
        <RotateDialog
          name={name}
          rotate={rotate}
          close={() => setOpen(false)}
          onRotated={(secret) => {
            setOpen(false);
            reveal({ id, name, secret });
            // Without it, the next save meets a conflict, which shows both versions.
            showVersion().catch(() => undefined);
          }}
        />
      )}
    </>
  );
}

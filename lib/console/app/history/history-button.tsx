import { Suspense, useState } from 'react';
import { areaCode } from '../area-code.ts';
import type { RecordEditor } from '../editing/use-record-editor.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { hasHistory } from './history-calls.ts';
import { historyTexts } from './texts.ts';

export interface HistoryProps {
  readonly editor: RecordEditor;
  readonly labelOf: (path: string) => string;
  /** For members who may not change the record. */
  readonly isReadOnly?: boolean | undefined;
}

export interface HistoryDialogProps extends HistoryProps {
  readonly isOpen: boolean;
  readonly close: () => void;
}

const dialog = areaCode<HistoryDialogProps>(() => import('./history-dialog.tsx'));

/** Opens the versions of the record of a form, if its kind has some. */
export function HistoryButton(props: HistoryProps) {
  const t = useCatalogue(historyTexts);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const HistoryDialog = dialog();
  const { kind, isNew } = props.editor;
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  if (isNew || !hasHistory(kind)) return null;
  return (
    <>
      <button type="button" className="button quiet" onClick={open}>
        {t.history}
      </button>
      {/* It stays, because only a dialog that closes itself returns the focus. */}
      {wasOpened && (
        <Suspense>
          <HistoryDialog {...props} isOpen={isOpen} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

import { useState } from 'react';
import { useMay } from '../../data/session-context.tsx';
import { TargetPicker } from '../../relations/target-picker.tsx';
import type { TargetSource } from '../../relations/targets.ts';
import type { PickerProps } from '../../relations/targets-input.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NewTarget } from './new-target.tsx';
import { contentTexts } from './texts.ts';

interface Props extends PickerProps {
  readonly source: TargetSource;
  /** The database of the records; undefined for products. */
  readonly modelId: string | undefined;
  readonly many: boolean;
  readonly label: string;
}

/** Searches the possible targets of a relation. It can also create an entry without leaving the form. */
export function RelationPicker({ modelId, ...picker }: Props) {
  const t = useCatalogue(contentTexts);
  const [isCreating, setCreating] = useState(false);
  const mayCreate = useMay('cms:entry:create');
  const { many, ids, choose, drop, close } = picker;
  if (isCreating && modelId !== undefined) {
    return (
      <Dialog title={t.createNew} isOpen close={() => setCreating(false)} isAlert isWide>
        <NewTarget
          modelId={modelId}
          cancel={() => setCreating(false)}
          undone={drop}
          created={(id) => {
            choose(many ? [...ids, id] : [id]);
            close();
          }}
        />
      </Dialog>
    );
  }
  return (
    <TargetPicker {...picker}>
      {modelId !== undefined && mayCreate && (
        <button type="button" className="button" onClick={() => setCreating(true)}>
          {t.createNew}
        </button>
      )}
    </TargetPicker>
  );
}

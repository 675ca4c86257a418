import { useState } from 'react';
import type { Relation } from '#lib/domain/cms/cms-model.ts';
import { useMay } from '../../data/session-context.tsx';
import { TargetPicker } from '../../relations/target-picker.tsx';
import type { TargetSource } from '../../relations/targets.ts';
import { type PickerProps, TargetsInput } from '../../relations/targets-input.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NewTarget } from './new-target.tsx';
import { contentPaths } from './paths.ts';
import { modelOfRelation, useTargetSource } from './targets.ts';
import { contentTexts } from './texts.ts';

interface Props {
  readonly path: string;
  readonly label: string;
  readonly relation: Relation;
}

/** The records that an entry relates to. */
export function RelationInput({ path, label, relation: { to, many } }: Props) {
  const source = useTargetSource(to);
  const modelId = modelOfRelation(to);
  return (
    <TargetsInput
      path={path}
      label={label}
      source={source}
      many={many}
      hrefOf={modelId === undefined ? undefined : (id) => contentPaths.entry(modelId, id)}
      picker={(props) => <RelationPicker {...props} source={source} modelId={modelId} many={many} label={label} />}
    />
  );
}

interface RelationPickerProps extends PickerProps {
  readonly source: TargetSource;
  /** The database of the records; undefined for products. */
  readonly modelId: string | undefined;
  readonly many: boolean;
  readonly label: string;
}

/** Searches the possible targets of a relation. It can also create an entry without leaving the form. */
function RelationPicker({ modelId, ...picker }: RelationPickerProps) {
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

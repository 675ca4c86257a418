import type { Relation } from '#lib/domain/cms/cms-model.ts';
import { TargetsInput } from '../../relations/targets-input.tsx';
import { contentPaths } from './paths.ts';
import { RelationPicker } from './relation-picker.tsx';
import { modelOfRelation, useTargetSource } from './targets.ts';

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

import { useState } from 'react';
import { Link } from 'wouter';
import type { Relation } from '#lib/domain/cms/cms-model.ts';
import { useField } from '../../editing/editor-context.tsx';
import { moved } from '../../editing/moved.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { OrderButtons } from '../../ui/order-buttons.tsx';
import { contentPaths } from './paths.ts';
import { RelationPicker } from './relation-picker.tsx';
import { modelOfRelation, type Target, useTargetNames } from './targets.ts';
import { contentTexts } from './texts.ts';

interface Props {
  readonly path: string;
  readonly label: string;
  readonly relation: Relation;
}

/** The records that an entry relates to: shown by name, chosen in a dialog, put in order. */
export function RelationInput({ path, label, relation: { to, many } }: Props) {
  const t = useCatalogue(contentTexts);
  const shared = useTexts();
  const { value, set, error } = useField(path);
  const [isOpen, setOpen] = useState(false);
  const ids = [value ?? []].flat().filter((id): id is string => typeof id === 'string');
  const names = useTargetNames(to, ids);
  const put = (next: readonly string[]) => set(many ? next : (next[0] ?? null));
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      {ids.length === 0 && <p className="hint">{t.noTarget}</p>}
      <ol className="content-targets">
        {ids.map((id, index) => (
          <li key={id}>
            <TargetName to={to} id={id} target={names?.get(id)} isKnown={names !== undefined} />
            {many && (
              <OrderButtons
                index={index}
                count={ids.length}
                name={names?.get(id)?.name ?? id}
                move={(from, next) => put(moved(ids, from, next))}
              />
            )}
            <button
              type="button"
              className="button small quiet warns"
              aria-label={`${shared.remove}: ${names?.get(id)?.name ?? id}`}
              onClick={() => put(ids.filter((one) => one !== id))}
            >
              {shared.remove}
            </button>
          </li>
        ))}
      </ol>
      {error !== undefined && <p className="error">{error}</p>}
      <div>
        <button
          type="button"
          className="button small"
          aria-invalid={error === undefined ? undefined : true}
          aria-haspopup="dialog"
          aria-label={`${t.choose}: ${label}`}
          onClick={() => setOpen(true)}
        >
          {t.choose}
        </button>
      </div>
      {isOpen && <RelationPicker {...{ to, many, ids, label }} choose={put} close={() => setOpen(false)} />}
    </fieldset>
  );
}

interface NameProps {
  readonly to: string;
  readonly id: string;
  readonly target: Target | undefined;
  /** Whether the names have been read. */
  readonly isKnown: boolean;
}

function TargetName({ to, id, target, isKnown }: NameProps) {
  const t = useCatalogue(contentTexts);
  const modelId = modelOfRelation(to);
  const name = target?.name ?? id;
  return (
    <span className="row content-target-name">
      {modelId !== undefined && target ? (
        <Link href={contentPaths.entry(modelId, id)} dir="auto">
          {name}
        </Link>
      ) : (
        <span dir="auto">{name}</span>
      )}
      {isKnown && !target && <span className="tag bad">{t.goneTarget}</span>}
      {target && !target.published && <span className="tag">{t.draft}</span>}
    </span>
  );
}

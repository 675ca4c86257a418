import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useField } from '../editing/editor-context.tsx';
import { moved } from '../editing/moved.ts';
import { useCatalogue, useTexts } from '../texts/use-texts.tsx';
import { OrderButtons } from '../ui/order-buttons.tsx';
import { type Target, type TargetSource, useTargetNames } from './targets.ts';
import { relationTexts } from './texts.ts';

/** The properties of a dialog in which records are chosen. */
export interface PickerProps {
  readonly ids: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
  /** Takes a record out that is gone, also after the dialog was closed. */
  readonly drop: (id: string) => void;
  readonly close: () => void;
}

interface Props {
  readonly path: string;
  readonly label: string;
  readonly source: TargetSource;
  /** True for an ordered list of ids, false for a single id. */
  readonly many: boolean;
  /** The path of a record's screen. */
  readonly hrefOf?: ((id: string) => string) | undefined;
  readonly picker: (props: PickerProps) => ReactNode;
}

/** The related records of a record, by name. A dialog selects them, and buttons move them. */
export function TargetsInput({ path, label, source, many, hrefOf, picker }: Props) {
  const t = useCatalogue(relationTexts);
  const shared = useTexts();
  const { value, set, error } = useField(path);
  const [isOpen, setOpen] = useState(false);
  const ids = [value ?? []].flat().filter((id): id is string => typeof id === 'string');
  const names = useTargetNames(source, ids);
  const current = useRef(ids);
  current.current = ids;
  const put = (next: readonly string[]) => set(many ? next : (next[0] ?? null));
  const drop = (gone: string) => current.current.includes(gone) && put(current.current.filter((id) => id !== gone));
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      {ids.length === 0 && <p className="hint">{t.noTarget}</p>}
      <ol className="targets">
        {ids.map((id, index) => (
          <li key={id}>
            <TargetName id={id} target={names?.get(id)} isKnown={names !== undefined} hrefOf={hrefOf} />
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
              onClick={() => put(ids.filter((otherId) => otherId !== id))}
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
      {isOpen && picker({ ids, choose: put, drop, close: () => setOpen(false) })}
    </fieldset>
  );
}

interface NameProps extends Pick<Props, 'hrefOf'> {
  readonly id: string;
  readonly target: Target | undefined;
  /** Whether the names have been read. */
  readonly isKnown: boolean;
}

function TargetName({ id, target, isKnown, hrefOf }: NameProps) {
  const t = useCatalogue(relationTexts);
  const name = target?.name ?? id;
  return (
    <span className="row target-name">
      {hrefOf && target ? (
        <Link href={hrefOf(id)} dir="auto">
          {name}
        </Link>
      ) : (
        <span dir="auto">{name}</span>
      )}
      {isKnown && !target && <span className="tag bad">{t.targetNotFound}</span>}
      {target && !target.published && <span className="tag warns">{t.draft}</span>}
    </span>
  );
}

import { useState } from 'react';
import { useCatalogue } from '../texts/use-texts.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TableRegion } from '../ui/table-region.tsx';
import { type Choices, differences, firstChoices, merged } from './differences.ts';
import type { Members } from './paths.ts';
import { shownValue } from './shown-value.ts';
import { editingTexts } from './texts.ts';

interface Props {
  /** `theirs` is null if the record was deleted. */
  readonly conflict: {
    readonly base: Members;
    readonly mine: Members;
    readonly theirs: { readonly record: Members } | null;
  };
  readonly labelOf: (path: string) => string;
  /** The text of a field value. @default the stored value */
  readonly shownOf?: (path: string, value: unknown) => string;
  /** The text that says when the choice takes effect. @default with the next save */
  readonly text?: string;
  readonly close: () => void;
  /** Called with the merged version. */
  readonly resolve: (value: Members) => void;
}

/** Shows both versions of a record side by side. The member chooses one value for each field. */
export function ConflictDialog({ conflict: { base, mine, theirs }, labelOf, shownOf, text, close, resolve }: Props) {
  const t = useCatalogue(editingTexts);
  const shown = shownOf ?? ((_: string, value: unknown) => shownValue(value, t));
  const found = theirs ? differences(base, mine, theirs.record) : [];
  const [choices, setChoices] = useState<Choices>(() => firstChoices(base, found));
  if (!theirs) {
    return (
      <Dialog title={t.conflictTitle} isOpen close={close} isAlert>
        <p>{t.conflictDeleted}</p>
        <div className="actions">
          <button type="button" className="button primary" onClick={close}>
            {t.close}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t.conflictTitle} isOpen close={close} isAlert isWide>
      <p>{text ?? t.conflictText}</p>
      <TableRegion label={t.conflictTitle}>
        <table className="conflict">
          <thead>
            <tr>
              <th scope="col">{t.conflictField}</th>
              <th scope="col">{t.conflictMine}</th>
              <th scope="col">{t.conflictTheirs}</th>
            </tr>
          </thead>
          <tbody>
            {found.map((difference) => (
              <tr key={difference.path} className={difference.isContested ? 'contested' : undefined}>
                <th scope="row" dir="auto">
                  {labelOf(difference.path)}
                </th>
                {(['mine', 'theirs'] as const).map((side) => (
                  <td key={side}>
                    <label className="choice">
                      <input
                        type="radio"
                        name={difference.path}
                        checked={choices[difference.path] === side}
                        onChange={() => setChoices({ ...choices, [difference.path]: side })}
                      />
                      <span className="visually-hidden">
                        {side === 'mine' ? t.conflictMine : t.conflictTheirs}, {labelOf(difference.path)}:
                      </span>
                      <span className="choice-value" dir="auto">
                        {shown(difference.path, difference[side])}
                      </span>
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableRegion>
      <div className="actions">
        <button type="button" className="button" onClick={close}>
          {t.cancel}
        </button>
        <button type="button" className="button primary" onClick={() => resolve(merged(theirs.record, found, choices))}>
          {t.conflictKeep}
        </button>
      </div>
    </Dialog>
  );
}

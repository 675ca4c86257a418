import { useState } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TableRegion } from '../ui/table-region.tsx';
import { type Choices, differences, firstChoices, merged } from './differences.ts';
import { shownValue } from './shown-value.ts';
import type { Conflict, RecordEditor } from './use-record-editor.ts';

interface Props {
  readonly editor: RecordEditor;
  readonly conflict: Conflict;
  readonly labelOf: (path: string) => string;
}

/** Both versions of a record side by side, field by field. Whoever edits chooses what is kept. */
export function ConflictDialog({ editor, conflict: { base, mine, theirs }, labelOf }: Props) {
  const t = useTexts();
  const found = theirs ? differences(base, mine, theirs.record) : [];
  const [choices, setChoices] = useState<Choices>(() => firstChoices(base, found));
  if (!theirs) {
    return (
      <Dialog title={t.conflictTitle} isOpen close={editor.closeConflict} isAlert>
        <p>{t.conflictGone}</p>
        <div className="actions">
          <button type="button" className="button primary" onClick={editor.closeConflict}>
            {t.close}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t.conflictTitle} isOpen close={editor.closeConflict} isAlert isWide>
      <p>{t.conflictText}</p>
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
            {found.map((one) => (
              <tr key={one.path} className={one.isContested ? 'contested' : undefined}>
                <th scope="row" dir="auto">
                  {labelOf(one.path)}
                </th>
                {(['mine', 'theirs'] as const).map((side) => (
                  <td key={side}>
                    <label className="choice">
                      <input
                        type="radio"
                        name={one.path}
                        checked={choices[one.path] === side}
                        onChange={() => setChoices({ ...choices, [one.path]: side })}
                      />
                      <span className="visually-hidden">
                        {side === 'mine' ? t.conflictMine : t.conflictTheirs}, {labelOf(one.path)}:
                      </span>
                      <span className="choice-value" dir="auto">
                        {shownValue(one[side], t)}
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
        <button type="button" className="button" onClick={editor.closeConflict}>
          {t.cancel}
        </button>
        <button
          type="button"
          className="button primary"
          onClick={() => editor.resolve(merged(theirs.record, found, choices))}
        >
          {t.conflictKeep}
        </button>
      </div>
    </Dialog>
  );
}

import { editingTexts } from '../editing/texts.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import type { useSelection } from './use-selection.ts';

interface AllProps {
  readonly selection: ReturnType<typeof useSelection>;
}

/** The header of the column of checkboxes. */
export function SelectAllCell({ selection }: AllProps) {
  const t = useCatalogue(editingTexts);
  return (
    <th scope="col" className="select-cell" data-label={t.selectAll}>
      <input type="checkbox" aria-label={t.selectAll} checked={selection.isAll} onChange={selection.toggleAll} />
    </th>
  );
}

interface Props extends AllProps {
  readonly id: string;
  /** The name of the row. */
  readonly name: string;
}

export function SelectCell({ selection, id, name }: Props) {
  const t = useCatalogue(editingTexts);
  return (
    <td className="select-cell">
      <input
        type="checkbox"
        aria-label={fill(t.selectRow, { name })}
        checked={selection.has(id)}
        onChange={() => selection.toggle(id)}
      />
    </td>
  );
}

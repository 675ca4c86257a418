import type { ReactNode } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { CloseIcon, PlusIcon } from '../ui/icons.tsx';
import { OrderButtons } from '../ui/order-buttons.tsx';
import { useListField } from './use-list-field.ts';

interface Props {
  readonly path: string;
  readonly label: string;
  /** The item that the button adds. */
  readonly blank: () => unknown;
  readonly addLabel: string;
  /** The name of an item, for the labels of its buttons. */
  readonly itemLabel: (item: unknown, index: number) => string;
  /** The fields of one item; their paths begin with `path`. */
  readonly children: (path: string, item: unknown) => ReactNode;
}

/** A list in a record. Buttons and keys add, remove and move its items. */
export function ListField({ path, label, blank, addLabel, itemLabel, children }: Props) {
  const t = useTexts();
  const { items, keys, error, add, remove, move } = useListField<unknown>(path);
  const tools = (item: unknown, index: number) => {
    const name = itemLabel(item, index) || String(index + 1);
    return (
      <div className="list-tools">
        <OrderButtons index={index} count={items.length} name={name} move={move} />
        <button type="button" className="button icon" aria-label={`${t.remove}: ${name}`} onClick={() => remove(index)}>
          <CloseIcon />
        </button>
      </div>
    );
  };
  return (
    <fieldset className="list-field">
      <legend className="label">{label}</legend>
      <ol>
        {items.map((item, index) => (
          <li key={keys[index]} className="list-item">
            <div className="list-fields">{children(`${path}.${index}`, item)}</div>
            {tools(item, index)}
          </li>
        ))}
      </ol>
      {error !== undefined && <p className="error">{error}</p>}
      <button type="button" className="button small" onClick={() => add(blank())}>
        <PlusIcon />
        {addLabel}
      </button>
    </fieldset>
  );
}

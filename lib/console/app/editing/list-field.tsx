import type { ReactNode } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { CloseIcon, DownIcon, PlusIcon, UpIcon } from '../ui/icons.tsx';
import { useField } from './editor-context.tsx';
import { moved } from './moved.ts';

interface Props {
  readonly path: string;
  readonly label: string;
  /** What a button adds. */
  readonly blank: () => unknown;
  readonly addLabel: string;
  /** What an item is called in the names of its buttons. */
  readonly itemLabel: (item: unknown, index: number) => string;
  /** The fields of one item; their paths begin with `path`. */
  readonly children: (path: string, item: unknown) => ReactNode;
}

/** A list of parts of a record: added, removed, and moved by buttons. */
export function ListField({ path, label, blank, addLabel, itemLabel, children }: Props) {
  const t = useTexts();
  const { value, set, error } = useField(path);
  const items = Array.isArray(value) ? (value as readonly { readonly id?: string }[]) : [];
  const tools = (item: unknown, index: number) => {
    const name = itemLabel(item, index) || String(index + 1);
    const move = (by: number) => set(moved(items, index, index + by));
    return (
      <div className="list-tools">
        <button
          type="button"
          className="button icon"
          aria-label={`${t.moveUp}: ${name}`}
          disabled={index === 0}
          onClick={() => move(-1)}
        >
          <UpIcon />
        </button>
        <button
          type="button"
          className="button icon"
          aria-label={`${t.moveDown}: ${name}`}
          disabled={index === items.length - 1}
          onClick={() => move(1)}
        >
          <DownIcon />
        </button>
        <button
          type="button"
          className="button icon"
          aria-label={`${t.remove}: ${name}`}
          onClick={() => set(items.filter((_, other) => other !== index))}
        >
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
          <li key={item.id ?? index} className="list-item">
            <div className="list-fields">{children(`${path}.${index}`, item)}</div>
            {tools(item, index)}
          </li>
        ))}
      </ol>
      {error !== undefined && <p className="error">{error}</p>}
      <button type="button" className="button small" onClick={() => set([...items, blank()])}>
        <PlusIcon />
        {addLabel}
      </button>
    </fieldset>
  );
}

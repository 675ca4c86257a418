import { type KeyboardEvent, useRef, useState } from 'react';
import { editingTexts } from '../editing/texts.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { DownIcon, UpIcon } from './icons.tsx';

interface Props {
  readonly index: number;
  readonly count: number;
  /** The name of the moved item for screen readers. */
  readonly name: string;
  readonly move: (from: number, to: number) => void;
}

/** Moves a list item up and down. Alt and an arrow key on a focused button do the same. */
export function OrderButtons({ index, count, name, move }: Props) {
  const t = useCatalogue(editingTexts);
  const buttons = useRef<HTMLSpanElement>(null);
  const [announcement, setAnnouncement] = useState('');
  const go = (step: number) => {
    const to = index + step;
    if (to < 0 || to >= count) return;
    const focused = document.activeElement;
    move(index, to);
    setAnnouncement(fill(t.movedTo, { position: to + 1, count }));
    // The row has moved in the document, so it has lost the focus.
    requestAnimationFrame(() => {
      if (focused instanceof HTMLElement && buttons.current?.contains(focused)) focused.focus();
    });
  };
  return (
    <span className="order-buttons" ref={buttons}>
      <button
        type="button"
        className="button icon"
        aria-label={`${t.moveUp}: ${name}`}
        aria-disabled={index === 0}
        onClick={() => go(-1)}
        onKeyDown={orderKeys(go)}
      >
        <UpIcon />
      </button>
      <button
        type="button"
        className="button icon"
        aria-label={`${t.moveDown}: ${name}`}
        aria-disabled={index === count - 1}
        onClick={() => go(1)}
        onKeyDown={orderKeys(go)}
      >
        <DownIcon />
      </button>
      <span className="visually-hidden" role="status">
        {announcement}
      </span>
    </span>
  );
}

const orderKeys = (go: (step: number) => void) => (event: KeyboardEvent) => {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
  event.preventDefault();
  go(event.key === 'ArrowUp' ? -1 : 1);
};

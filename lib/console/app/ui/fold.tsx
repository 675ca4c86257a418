import type { ReactNode } from 'react';
import { OrderButtons } from './order-buttons.tsx';

interface Props {
  readonly name: string;
  /** A text beside the name, also while the part is closed. */
  readonly tags: ReactNode;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  /** True if a field in it has an error. */
  readonly hasFault: boolean;
  readonly index: number;
  readonly count: number;
  readonly move: (from: number, to: number) => void;
  readonly children: ReactNode;
}

/** A part of an ordered list. It can be opened and moved. */
export function Fold({ name, tags, isOpen, toggle, hasFault, index, count, move, children }: Props) {
  return (
    <li className={`card fold ${hasFault ? 'wrong' : ''}`}>
      <div className="fold-head">
        <button type="button" className="fold-toggle" aria-expanded={isOpen} onClick={toggle}>
          <span dir="auto">{name}</span>
          {tags}
        </button>
        <OrderButtons index={index} count={count} name={name} move={move} />
      </div>
      {isOpen && children}
    </li>
  );
}

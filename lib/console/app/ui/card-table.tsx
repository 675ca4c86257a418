import type { ReactNode } from 'react';
import { TableRegion } from './table-region.tsx';

interface Props {
  readonly label: string;
  /** The cells of the head, such as `Heads`. */
  readonly heads: ReactNode;
  readonly className?: string;
  /** The rows. */
  readonly children: ReactNode;
}

/** A table whose rows are cards on a phone. */
export function CardTable({ label, heads, className = '', children }: Props) {
  return (
    <TableRegion label={label}>
      <table className={`cards ${className}`}>
        <thead>
          <tr>{heads}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </TableRegion>
  );
}

/** Columns with these texts as heads. */
export const Heads = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.map((text) => (
    <th key={text} scope="col">
      {text}
    </th>
  ));

/** The head of a column of numbers. */
export const NumberHead = ({ text }: { readonly text: string }) => (
  <th scope="col" className="number">
    {text}
  </th>
);

/** The head of a column of buttons, for screen readers. */
export const ButtonsHead = ({ text }: { readonly text: string }) => (
  <th scope="col">
    <span className="visually-hidden">{text}</span>
  </th>
);

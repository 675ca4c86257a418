import type { ReactNode } from 'react';

interface Props {
  /** The head of the column, shown beside the value where rows are cards; without it the value stands alone. */
  readonly label?: string;
  readonly dir?: 'auto';
  readonly className?: string;
  readonly children: ReactNode;
}

/** A cell of a table with the class `cards`, whose rows are cards on a phone. */
export function Cell({ label, dir, className, children }: Props) {
  return (
    <td className={className} data-label={label}>
      <div className="cell" dir={dir}>
        {children}
      </div>
    </td>
  );
}

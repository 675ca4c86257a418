import type { ReactNode } from 'react';

/** A table that may be wider than the screen: it scrolls in here, by keyboard too, and the page does not. */
export function TableRegion({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <section className="table-region" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

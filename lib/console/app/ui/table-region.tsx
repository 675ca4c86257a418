import { type ReactNode, useEffect, useRef, useState } from 'react';
import { editingTexts } from '../editing/texts.ts';
import { useCatalogue } from '../texts/use-texts.tsx';

/** A table that may be wider than the screen. It scrolls by itself, also by keyboard. */
export function TableRegion({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const t = useCatalogue(editingTexts);
  const region = useRef<HTMLElement>(null);
  const isWider = useIsWider(region);
  return (
    <>
      {isWider && <p className="hint table-hint">{t.scrollsSideways}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <section className="table-region" aria-label={label} tabIndex={0} ref={region}>
        {children}
      </section>
    </>
  );
}

/** True if the content of a region is wider than the region. */
function useIsWider(region: { readonly current: HTMLElement | null }): boolean {
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const { current } = region;
    if (!current) return;
    const observer = new ResizeObserver(() => setWider(current.scrollWidth > current.clientWidth + 1));
    for (const element of [current, ...current.children]) observer.observe(element);
    return () => observer.disconnect();
  }, [region]);
  return isWider;
}

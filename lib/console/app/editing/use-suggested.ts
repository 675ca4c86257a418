import { useEffect, useRef } from 'react';
import { useField } from './editor-context.tsx';

/**
 * Fills a field from a text, e.g. a key from a name, until the member types into it.
 * @param make makes the value; an empty text suggests nothing
 */
export function useSuggested(path: string, text: string, make: (text: string) => string, isOn: boolean): void {
  const { value, set } = useField(path);
  const suggested = useRef(value);
  const latest = useRef({ set, make });
  latest.current = { set, make };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text alone makes a new suggestion.
  useEffect(() => {
    if (!isOn || text.trim() === '' || value !== suggested.current) return;
    const next = latest.current.make(text);
    suggested.current = next;
    if (next !== value) latest.current.set(next);
  }, [text]);
}

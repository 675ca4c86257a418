import { useRef } from 'react';
import { useField } from './editor-context.tsx';
import { moved } from './moved.ts';

/** A list within a record. `keys` stay with their items when these move, so that the focus does, too. */
export function useListField<Item>(path: string) {
  const { value, set, error } = useField(path);
  const items = (Array.isArray(value) ? value : []) as readonly Item[];
  const keys = useRef<readonly number[]>([]);
  const last = useRef(0);
  if (keys.current.length !== items.length) {
    keys.current = items.map((_, index) => keys.current[index] ?? ++last.current);
  }
  return {
    items,
    keys: keys.current,
    error,
    set,
    add: (...more: readonly Item[]) => set([...items, ...more]),
    remove: (index: number) => {
      keys.current = without(keys.current, index);
      set(without(items, index));
    },
    move: (from: number, to: number) => {
      keys.current = moved(keys.current, from, to);
      set(moved(items, from, to));
    },
  };
}

const without = <Item>(items: readonly Item[], at: number): Item[] => items.filter((_, index) => index !== at);

import { useRef } from 'react';
import { useField } from './editor-context.tsx';
import { moved } from './moved.ts';

/**
 * A list within a record. `keys` move with their items, so that the focus does, too.
 * @param arranged adjusts the list after each change, e.g. numbers its items
 */
export function useListField<Item>(path: string, arranged: (items: readonly Item[]) => readonly Item[] = asTheyAre) {
  const { value, set: put, error } = useField(path);
  const set = (next: readonly Item[]) => put(arranged(next));
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
    insert: (index: number, item: Item) => {
      keys.current = [...keys.current.slice(0, index), ++last.current, ...keys.current.slice(index)];
      set([...items.slice(0, index), item, ...items.slice(index)]);
    },
    add: (item: Item) => set([...items, item]),
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

const asTheyAre = <Item>(items: readonly Item[]): readonly Item[] => items;

import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 860px)');

const subscribe = (listener: () => void) => {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
};

/** Whether the window is too narrow for a navigation beside the content. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);

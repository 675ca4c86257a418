import { useEffect, useMemo, useRef } from 'react';
import { useProfile } from '../data/session-context.tsx';
import { dropDraft, writeDraft } from './draft-store.ts';

/** Typing with shorter pauses than this causes one write. */
const pauseMilliseconds = 250;

/** @returns the key of a screen's draft, for this member in this workspace */
export function useDraftKey(screen: string): string {
  const { id, workspace } = useProfile();
  return `${workspace.id}/${id}/${screen}`;
}

/**
 * Writes a draft a moment after the last change, and immediately when the screen closes.
 * @param key undefined until the draft is claimed; nothing is written before
 */
export function useDraftWriter(key: string | undefined) {
  const waiting = useRef<{ readonly timer: number; readonly write: () => void } | undefined>(undefined);
  const writer = useMemo(() => {
    const flush = () => {
      const now = waiting.current;
      waiting.current = undefined;
      if (!now) return;
      clearTimeout(now.timer);
      now.write();
    };
    return {
      flush,
      put: (value: unknown) => {
        if (waiting.current) clearTimeout(waiting.current.timer);
        if (key === undefined) return;
        const write = () => void writeDraft(key, value);
        waiting.current = { write, timer: window.setTimeout(flush, pauseMilliseconds) };
      },
      drop: () => {
        if (waiting.current) clearTimeout(waiting.current.timer);
        waiting.current = undefined;
        return key === undefined ? undefined : dropDraft(key);
      },
    };
  }, [key]);
  useEffect(() => {
    window.addEventListener('pagehide', writer.flush);
    return () => {
      window.removeEventListener('pagehide', writer.flush);
      writer.flush();
    };
  }, [writer]);
  return writer;
}

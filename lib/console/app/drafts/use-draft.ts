import { useEffect, useMemo, useRef, useState } from 'react';
import { useProfile } from '../data/session-context.tsx';
import { type Draft, dropDraft, readDraft, writeDraft } from './draft-store.ts';

/** Typing pauses shorter than this are one write. */
const pauseMilliseconds = 250;

/** @returns the key of a screen's draft, for this member in this workspace */
export function useDraftKey(screen: string): string {
  const { id, workspace } = useProfile();
  return `${workspace.id}/${id}/${screen}`;
}

/**
 * Writes a draft a moment after the last change, and immediately when the screen closes.
 * @param key undefined as long as it is not known; nothing is written then
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

/**
 * A text that survives a crash, e.g. an unsent reply.
 * @param screen the owner of the text, e.g. `inbox/<conversation>`
 * @returns the text, its setter, and a function that removes it
 */
export function useDraftText(screen: string): [string, (text: string) => void, () => void] {
  const key = useDraftKey(screen);
  const writer = useDraftWriter(key);
  const [text, setText] = useState('');
  useEffect(() => {
    let isCurrent = true;
    setText('');
    void readDraft(key).then((draft: Draft | undefined) => {
      if (isCurrent && typeof draft?.value === 'string') setText((typed) => typed || String(draft.value));
    });
    return () => {
      isCurrent = false;
    };
  }, [key]);
  const set = (next: string) => {
    setText(next);
    if (next === '') void writer.drop();
    else writer.put(next);
  };
  return [text, set, () => set('')];
}

import { useEffect, useRef, useState } from 'react';
import type { Draft } from './draft-store.ts';
import { useClaimedDraft } from './use-claimed-draft.ts';
import { useDraftWriter } from './use-draft.ts';

/** A text that survives a crash, e.g. an unsent reply. Each tab has its own. */
export interface DraftText {
  readonly text: string;
  /** Stores a text. An empty one removes the draft. */
  readonly keep: (text: string) => void;
  /** Texts of the same screen that no tab has claimed, e.g. after a crash. */
  readonly others: readonly Draft[];
  /** Shows another text. The current one stays stored. */
  readonly restore: (other: Draft) => void;
}

/** @param screen the owner of the text, e.g. `inbox/<conversation>`; another one needs another component */
export function useDraftText(screen: string): DraftText {
  const { claim, take, begin } = useClaimedDraft(screen);
  const writer = useDraftWriter(claim?.key);
  const [text, setText] = useState('');
  const latest = useRef(text);
  latest.current = text;
  const isStarted = useRef(false);
  useEffect(() => {
    if (!claim || isStarted.current) return;
    // Text that was typed before the claim does not replace the stored draft.
    if (latest.current !== '' && claim.draft) return begin();
    isStarted.current = true;
    if (latest.current !== '') writer.put(latest.current);
    else if (typeof claim.draft?.value === 'string') setText(claim.draft.value);
  });
  return {
    text,
    keep: (next) => {
      setText(next);
      if (!isStarted.current) return;
      if (next === '') void writer.drop();
      else writer.put(next);
    },
    others: claim?.others ?? [],
    restore: (other) => void take(other.key, text === '' ? undefined : text, ({ value }) => setText(String(value))),
  };
}

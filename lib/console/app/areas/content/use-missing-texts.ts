import { useEffect, useRef, useState } from 'react';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { RecordCalls } from '../../data/records.ts';
import { withMissingTexts } from './missing-texts.ts';

/**
 * The list of entries with missing texts, the progress of a search, and a way to stop it.
 * @param missing the language; null without a search
 */
export function useMissingTexts(model: Model, calls: Pick<RecordCalls, 'list'>, missing: string | null) {
  const [looked, setLooked] = useState<number>();
  const runs = useRef(0);
  const stop = () => {
    runs.current++;
    setLooked(undefined);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language, or another screen, ends a search.
  useEffect(() => stop, [missing]);
  const list: RecordCalls['list'] = async (query) => {
    const run = ++runs.current;
    const isWanted = () => runs.current === run;
    const note = (count: number) => isWanted() && setLooked(count);
    try {
      return await withMissingTexts(model, calls, { note, isWanted }).list(query);
    } finally {
      if (isWanted()) setLooked(undefined);
    }
  };
  return { calls: missing === null ? calls : { list }, looked, stop };
}

import { useEffect, useRef } from 'react';
import { textIn } from '../../data/localized.ts';
import { useProfile } from '../../data/session-context.tsx';
import { slugOf } from '../../editing/slug.ts';
import type { RecordEditor } from '../../editing/use-record-editor.ts';

/** Derives the slug of a new record from its name, until the member types another slug. */
export function useSlug({ isNew, isReady, value, change }: RecordEditor): void {
  const { defaultLanguage } = useProfile().workspace;
  const suggested = useRef('');
  const next = slugOf(textIn(value['name'] as Readonly<Record<string, string>>, [defaultLanguage, 'en']));
  const slug = value['slug'] ?? '';
  useEffect(() => {
    if (!isNew || !isReady || slug !== suggested.current || slug === next) return;
    suggested.current = next;
    change('slug', next);
  });
}

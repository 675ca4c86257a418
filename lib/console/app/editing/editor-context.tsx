import { createContext, use } from 'react';
import { faultText } from '../data/error-text.ts';
import { useLanguage } from '../texts/use-texts.tsx';
import { valueAt } from './paths.ts';
import type { RecordEditor } from './use-record-editor.ts';

const EditorContext = createContext<RecordEditor | null>(null);
export const EditorProvider = EditorContext.Provider;

export function useEditor(): RecordEditor {
  const editor = use(EditorContext);
  if (!editor) throw new Error('This field is outside of a form.');
  return editor;
}

/** One field of the record that the form around it edits. */
export function useField(path: string) {
  const { value, storedValue, change, faults } = useEditor();
  const language = useLanguage();
  const fault = faults.find((candidate) => candidate.path === path);
  const current = valueAt(value, path);
  return {
    value: current,
    isStored: current === valueAt(storedValue, path),
    set: (next: unknown) => change(path, next),
    error: fault && faultText(fault, language),
  };
}

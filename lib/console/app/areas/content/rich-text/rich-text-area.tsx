import { useRef, useState } from 'react';
import { Toolbar } from 'react-aria-components/Toolbar';
import type { TextControlProps } from '../../../editing/localized-input.tsx';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { contentTexts } from '../texts.ts';
import { MarkIcon } from './mark-icon.tsx';
import { editOf, type Mark, marks } from './marks.ts';
import { Preview } from './preview.tsx';

const keys: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', k: 'link' };

/** A text with headings, bold, italic, lists and links, as Markdown; with buttons for the marks, and a preview. */
export function RichTextArea({ attributes, name, value, lang, dir, set }: TextControlProps) {
  const t = useCatalogue(contentTexts);
  const area = useRef<HTMLTextAreaElement>(null);
  const [isShown, setShown] = useState(false);
  const apply = (mark: Mark) => {
    const input = area.current;
    if (!input) return;
    const edit = editOf(mark, input.value, input.selectionStart, input.selectionEnd);
    input.focus();
    input.setSelectionRange(edit.from, edit.to);
    // The command acts like typing, so that it can be undone. Some browsers do not support it.
    if (!document.execCommand('insertText', false, edit.insert)) {
      set(input.value.slice(0, edit.from) + edit.insert + input.value.slice(edit.to));
    }
    requestAnimationFrame(() => input.setSelectionRange(edit.start, edit.end));
  };
  return (
    <div className="content-rich">
      <Toolbar className="row" aria-label={`${t.marks}: ${name}`}>
        {marks.map((mark) => (
          <button
            key={mark}
            type="button"
            className="button icon"
            aria-label={t[mark]}
            title={t[mark]}
            onClick={() => apply(mark)}
          >
            <MarkIcon mark={mark} />
          </button>
        ))}
        <button type="button" className="button small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {t.preview}
        </button>
      </Toolbar>
      <textarea
        ref={area}
        rows={8}
        {...attributes}
        value={value}
        lang={lang}
        dir={dir}
        onChange={({ target }) => set(target.value)}
        onKeyDown={(event) => {
          const mark = event.ctrlKey || event.metaKey ? keys[event.key.toLowerCase()] : undefined;
          if (!mark || event.altKey || event.shiftKey) return;
          event.preventDefault();
          apply(mark);
        }}
      />
      {isShown && <Preview text={value} language={lang} direction={dir} label={`${t.preview}: ${name}`} />}
    </div>
  );
}

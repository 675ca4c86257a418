import { type ReactNode, useRef, useState } from 'react';
import { Toolbar } from 'react-aria-components/Toolbar';
import { useField } from '../../../editing/editor-context.tsx';
import { LocalizedInput, type TextControlProps } from '../../../editing/localized-input.tsx';
import { useCatalogue } from '../../../texts/use-texts.tsx';
import { Field } from '../../../ui/field.tsx';
import { contentTexts } from '../texts.ts';
import { type Block, blocksOf, type Inline } from './blocks.ts';
import { editOf, type Mark, marks } from './marks.ts';

interface Props {
  readonly path: string;
  readonly label: string;
}

/** A formatted text, the same in every language. */
export function RichTextInput({ path, label }: Props) {
  const { value, set, error } = useField(path);
  return (
    <Field label={label} error={error}>
      {(attributes) => (
        <RichTextArea
          attributes={attributes}
          name={label}
          lang={undefined}
          dir="auto"
          value={typeof value === 'string' ? value : ''}
          set={(text) => set(text === '' ? null : text)}
        />
      )}
    </Field>
  );
}

/** A formatted text in every language of the workspace. */
export const LocalizedRichTextInput = (props: Props) => (
  <LocalizedInput {...props} empty={null} control={(controlProps) => <RichTextArea {...controlProps} />} />
);

const shortcuts: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', k: 'link' };

/** A text with headings, bold, italic, lists and links, as Markdown; with buttons for the marks, and a preview. */
function RichTextArea({ attributes, name, value, lang, dir, set }: TextControlProps) {
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
          const mark = event.ctrlKey || event.metaKey ? shortcuts[event.key.toLowerCase()] : undefined;
          if (!mark || event.altKey || event.shiftKey) return;
          event.preventDefault();
          apply(mark);
        }}
      />
      {isShown && <Preview text={value} language={lang} direction={dir} label={`${t.preview}: ${name}`} />}
    </div>
  );
}

const drawings: Readonly<Record<Mark, string>> = {
  heading: 'M6 5v14M18 5v14M6 12h12',
  bold: 'M8 5v14M8 5h5a3.5 3.5 0 0 1 0 7H8h6a3.5 3.5 0 0 1 0 7H8',
  italic: 'M10 5h8M6 19h8M14 5l-4 14',
  bullets: 'M10 6h10M10 12h10M10 18h10M4 6h1M4 12h1M4 18h1',
  numbers: 'M10 6h10M10 12h10M10 18h10M4 4.5 5.5 4v4M4 15.5h2.5L4 20h3',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
};

const MarkIcon = ({ mark }: { readonly mark: Mark }) => (
  <svg className="icon-drawing" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={drawings[mark]} />
  </svg>
);

interface PreviewProps {
  readonly text: string;
  readonly language: string | undefined;
  readonly direction: 'ltr' | 'rtl' | 'auto';
  readonly label: string;
}

/** The preview of a text. It is made of elements, so HTML in the text is never interpreted. */
function Preview({ text, language, direction, label }: PreviewProps) {
  return (
    <section className="content-rich-preview" aria-label={label} lang={language} dir={direction}>
      {keyed(blocksOf(text), shownBlock)}
    </section>
  );
}

/** Keys by position, because the parts have no ids and are all rendered again with the text. */
const keyed = <Part,>(parts: readonly Part[], show: (part: Part, key: string) => ReactNode): ReactNode[] =>
  parts.map((part, index) => show(part, String(index)));

function shownBlock(block: Block, key: string): ReactNode {
  if (block.type === 'paragraph') return <p key={key}>{keyed(block.parts, shownInline)}</p>;
  if (block.type === 'heading') {
    // The screen already has a heading above.
    const Heading = block.level <= 2 ? 'h2' : block.level === 3 ? 'h3' : 'h4';
    return <Heading key={key}>{keyed(block.parts, shownInline)}</Heading>;
  }
  const List = block.type === 'bullets' ? 'ul' : 'ol';
  return (
    <List key={key}>
      {keyed(block.items, (item, index) => (
        <li key={index}>{keyed(item, shownInline)}</li>
      ))}
    </List>
  );
}

function shownInline(part: Inline, key: string): ReactNode {
  if (part.type === 'text') return part.text;
  const inner = keyed(part.parts, shownInline);
  if (part.type !== 'link') {
    const Strength = part.type === 'bold' ? 'strong' : 'em';
    return <Strength key={key}>{inner}</Strength>;
  }
  return part.href === undefined ? (
    <u key={key}>{inner}</u>
  ) : (
    <a key={key} href={part.href} target="_blank" rel="noopener noreferrer">
      {inner}
    </a>
  );
}

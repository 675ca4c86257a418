import type { ReactNode } from 'react';
import { type Block, blocksOf, type Inline } from './blocks.ts';

interface Props {
  readonly text: string;
  readonly language: string | undefined;
  readonly direction: 'ltr' | 'rtl' | 'auto';
  readonly label: string;
}

/** The preview of a text. It is made of elements, so HTML in the text is never interpreted. */
export function Preview({ text, language, direction, label }: Props) {
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

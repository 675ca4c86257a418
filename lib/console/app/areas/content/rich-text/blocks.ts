/** A piece of a line. `href` is undefined for a link with an unsafe URL. */
export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'bold' | 'italic'; readonly parts: readonly Inline[] }
  | { readonly type: 'link'; readonly href: string | undefined; readonly parts: readonly Inline[] };

export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly type: 'paragraph'; readonly parts: readonly Inline[] }
  | { readonly type: 'bullets' | 'numbers'; readonly items: readonly (readonly Inline[])[] };

/** Everything else, also HTML, is text. No pattern looks beyond the next mark of its kind. */
const patterns = [
  ['bold', /\*\*(?=\S)([^*\n]+)\*\*/y],
  ['italic', /\*(?=\S)([^*\n]+)\*/y],
  ['italic', /(?<![\p{L}\p{N}_])_(?=\S)([^_\n]+)_(?![\p{L}\p{N}])/uy],
  ['link', /\[([^[\]\n]*)\]\(([^()\s]*)\)/y],
] as const;

const depthMax = 4;
const followed = /^(?:https?:\/\/|mailto:|tel:)/i;

/** Parses a text into headings, lists and paragraphs with bold, italic and links, in linear time. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ type: 'paragraph', parts: inlineOf(paragraph.join(' ')) });
    paragraph = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const [, signs = '', heading] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
    const [, sign = '', item] = /^ {0,8}([-*+]|\d{1,9}[.)]) (.*)$/.exec(line) ?? [];
    if (heading === undefined && item === undefined) {
      if (line.trim() === '') endParagraph();
      else paragraph.push(line.trim());
      continue;
    }
    endParagraph();
    if (heading !== undefined) blocks.push({ type: 'heading', level: signs.length, parts: inlineOf(heading.trim()) });
    else addItem(blocks, /\d/.test(sign) ? 'numbers' : 'bullets', inlineOf((item ?? '').trim()));
  }
  endParagraph();
  return blocks;
}

/** Adds an item to the previous list, or begins a list. */
function addItem(blocks: Block[], type: 'bullets' | 'numbers', item: readonly Inline[]): void {
  const last = blocks.at(-1);
  if (last?.type === type) blocks[blocks.length - 1] = { type, items: [...last.items, item] };
  else blocks.push({ type, items: [item] });
}

function inlineOf(text: string, depth = 0): readonly Inline[] {
  const parts: Inline[] = [];
  let plainFrom = 0;
  const endPlain = (at: number) => {
    if (at > plainFrom) parts.push({ type: 'text', text: text.slice(plainFrom, at) });
  };
  for (let at = 0; at < text.length; ) {
    const found = depth < depthMax && '*_['.includes(text[at] ?? '') ? matchAt(text, at, depth) : undefined;
    if (!found) {
      at++;
      continue;
    }
    endPlain(at);
    parts.push(found.part);
    at += found.length;
    plainFrom = at;
  }
  endPlain(text.length);
  return parts;
}

function matchAt(text: string, at: number, depth: number): { part: Inline; length: number } | undefined {
  for (const [type, pattern] of patterns) {
    pattern.lastIndex = at;
    const [whole, inner = '', address = ''] = pattern.exec(text) ?? [];
    if (whole === undefined) continue;
    const parts = inlineOf(inner, depth + 1);
    if (type !== 'link') return { part: { type, parts }, length: whole.length };
    const href = followed.test(address) ? address : undefined;
    const shown = parts.length > 0 ? parts : ([{ type: 'text', text: address }] as const);
    return { part: { type, href, parts: shown }, length: whole.length };
  }
  return undefined;
}

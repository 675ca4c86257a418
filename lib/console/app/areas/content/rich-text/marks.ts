/** The effect of a toolbar button on the selected text. */
export type Mark = 'heading' | 'bold' | 'italic' | 'bullets' | 'numbers' | 'link';

export const marks: readonly Mark[] = ['heading', 'bold', 'italic', 'bullets', 'numbers', 'link'];

/** Replaces the text from `from` to before `to` by `insert`, then selects `start` to `end`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly start: number;
  readonly end: number;
}

const around = { bold: '**', italic: '*' } as const;
const linePrefix = /^(?:#{1,6} |[-*+] |\d{1,9}[.)] )/;
const address = 'https://';

/** The edit that adds a mark to a selection, or removes an existing one. */
export function editOf(mark: Mark, text: string, start: number, end: number): Edit {
  if (mark === 'bold' || mark === 'italic') return wrap(around[mark], text, start, end);
  return mark === 'link' ? link(text, start, end) : prefixLines(mark, text, start, end);
}

function wrap(sign: string, text: string, selectedFrom: number, selectedTo: number): Edit {
  const [start, end] = withoutBlanks(text, selectedFrom, selectedTo);
  const inner = text.slice(start, end);
  const { length } = sign;
  if (isMarked(sign, text.slice(0, start), text.slice(end))) {
    return { from: start - length, to: end + length, insert: inner, start: start - length, end: end - length };
  }
  if (inner.length > 2 * length && isMarked(sign, leadingStars(inner), trailingStars(inner))) {
    return { from: start, to: end, insert: inner.slice(length, -length), start, end: end - 2 * length };
  }
  // A mark does not span lines.
  const insert =
    inner === '' ? sign + sign : inner.replace(/[^\s](?:[^\n]*[^\s])?/g, (line) => `${sign}${line}${sign}`);
  const isOneLine = !inner.includes('\n');
  const selected = isOneLine ? [start + length, end + length] : [start, start + insert.length];
  return { from: start, to: end, insert, start: selected[0] ?? start, end: selected[1] ?? end };
}

/**
 * Whether this number of asterisks on both sides contains this mark. `**` does not contain `*`, and `***` contains
 * both.
 */
const isMarked = (sign: string, before: string, after: string): boolean => {
  const stars = Math.min(trailingStars(before).length, leadingStars(after).length);
  return sign === '**' ? stars >= 2 : stars % 2 === 1;
};

const leadingStars = (text: string): string => /^\**/.exec(text)?.[0] ?? '';

function trailingStars(text: string): string {
  let from = text.length;
  while (text[from - 1] === '*') from--;
  return text.slice(from);
}

function withoutBlanks(text: string, from: number, to: number): [number, number] {
  const part = text.slice(from, to);
  if (part.trim() === '') return [from, to];
  return [from + (part.length - part.trimStart().length), to - (part.length - part.trimEnd().length)];
}

function link(text: string, start: number, end: number): Edit {
  const inner = text.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(inner);
  const insert = isAddress ? `[](${inner})` : `[${inner}](${address})`;
  // Selects the missing part: the text or the URL.
  const from = start + (isAddress || inner === '' ? 1 : inner.length + 3);
  const length = isAddress || inner === '' ? 0 : address.length;
  return { from: start, to: end, insert, start: from, end: from + length };
}

function prefixLines(mark: 'heading' | 'bullets' | 'numbers', text: string, start: number, end: number): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const after = text.indexOf('\n', end);
  const to = after < 0 ? text.length : after;
  const lines = text.slice(from, to).split('\n');
  const isSet = { heading: /^#{1,6} /, bullets: /^[-*+] /, numbers: /^\d{1,9}[.)] / }[mark];
  const written = lines.length === 1 ? lines : lines.filter((line) => line.trim() !== '');
  const isOff = written.every((line) => isSet.test(line));
  let number = 0;
  const prefix = () => (mark === 'heading' ? '## ' : mark === 'bullets' ? '- ' : `${++number}. `);
  const changed = lines.map((line) => {
    if (line.trim() === '' && lines.length > 1) return line;
    const bare = line.replace(linePrefix, '');
    return isOff ? bare : prefix() + bare;
  });
  const insert = changed.join('\n');
  const cursor = start === end ? from + insert.length - (to - end) : undefined;
  return { from, to, insert, start: cursor ?? from, end: cursor ?? from + insert.length };
}

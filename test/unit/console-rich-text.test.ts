import { describe, expect, it } from '@jest/globals';
import { blocksOf } from '#lib/console/app/areas/content/rich-text/blocks.ts';
import { editOf, type Mark } from '#lib/console/app/areas/content/rich-text/marks.ts';
import { computedMilliseconds } from '#test/support/spent-time.ts';

/** Applies a mark to the selection between `[` and `]`, and shows the new selection in the same way. */
function marked(mark: Mark, shown: string): string {
  const start = shown.indexOf('‹');
  const end = shown.indexOf('›') - 1;
  const text = shown.replace(/[‹›]/g, '');
  const edit = editOf(mark, text, start, end);
  const after = text.slice(0, edit.from) + edit.insert + text.slice(edit.to);
  return `${after.slice(0, edit.start)}‹${after.slice(edit.start, edit.end)}›${after.slice(edit.end)}`;
}

describe('a mark', () => {
  it.each<[Mark, string, string]>([
    ['bold', 'a ‹b› c', 'a **‹b›** c'],
    ['bold', 'a **‹b›** c', 'a ‹b› c'],
    ['bold', 'a ‹**b**› c', 'a ‹b› c'],
    ['bold', 'a‹ b ›c', 'a **‹b›** c'],
    ['bold', '‹›', '**‹›**'],
    ['bold', '*‹b›*', '***‹b›***'],
    ['bold', '***‹b›***', '*‹b›*'],
    ['italic', '‹b›', '*‹b›*'],
    ['italic', '*‹b›*', '‹b›'],
    ['italic', '**‹b›**', '***‹b›***'],
    ['italic', '***‹b›***', '**‹b›**'],
    ['bold', '‹one\n\n two ›three', '‹**one**\n\n **two**› three'],
    ['bold', '‹نص›', '**‹نص›**'],
    ['link', 'see ‹here› now', 'see [here](‹https://›) now'],
    ['link', '‹https://a.example/b›', '[‹›](https://a.example/b)'],
    ['link', '‹›', '[‹›](https://)'],
    ['heading', 'one\nt‹w›o\nthree', 'one\n‹## two›\nthree'],
    ['heading', '## t‹w›o', '‹two›'],
    ['bullets', '‹one\n\ntwo›', '‹- one\n\n- two›'],
    ['bullets', '‹- one\n- two›', '‹one\ntwo›'],
    ['numbers', '‹- one\n## two\nthree›', '‹1. one\n2. two\n3. three›'],
    ['bullets', '‹›', '- ‹›'],
    ['bullets', 'one‹›', '- one‹›'],
    ['numbers', 'on‹›e', '1. on‹›e'],
  ])('%s makes %j %j', (mark, before, after) => expect(marked(mark, before)).toBe(after));
});

const text = (of: string) => ({ type: 'text', text: of });

describe('a formatted text', () => {
  it('has headings, paragraphs and lists', () => {
    expect(blocksOf('# One\ntext\r\nmore\n\n- a\n* b\n1. c\n2) d\n####### no\n#no')).toEqual([
      { type: 'heading', level: 1, parts: [text('One')] },
      { type: 'paragraph', parts: [text('text more')] },
      { type: 'bullets', items: [[text('a')], [text('b')]] },
      { type: 'numbers', items: [[text('c')], [text('d')]] },
      { type: 'paragraph', parts: [text('####### no #no')] },
    ]);
    expect(blocksOf(' \n\n')).toEqual([]);
  });

  it('has bold, italic and links, which may be nested', () => {
    expect(blocksOf('a **b _c_** *d* [e **f**](https://x.example) snake_case_name 2 * 3 * 4')).toEqual([
      {
        type: 'paragraph',
        parts: [
          text('a '),
          { type: 'bold', parts: [text('b '), { type: 'italic', parts: [text('c')] }] },
          text(' '),
          { type: 'italic', parts: [text('d')] },
          text(' '),
          {
            type: 'link',
            href: 'https://x.example',
            parts: [text('e '), { type: 'bold', parts: [text('f')] }],
          },
          text(' snake_case_name 2 * 3 * 4'),
        ],
      },
    ]);
  });

  it.each(['javascript:alert`1`', 'JAVASCRIPT:x', 'data:text/html,x', '//evil.example', '/menu', 'vbscript:x', ''])(
    'has no address to follow for %j',
    (address) => {
      const [block] = blocksOf(`[a](${address})`);
      expect(block).toMatchObject({ parts: [{ type: 'link', href: undefined }] });
    },
  );

  it('has HTML as text', () => {
    const html = '<script>alert(1)</script><b onclick="x">b</b>';
    expect(blocksOf(html)).toEqual([{ type: 'paragraph', parts: [text(html)] }]);
  });

  it.each(['[', '*', '**', '_', '[a](', '**a', '_a ', '- ', '# ', '[[a]('])(
    'a formatted text of %j alone is read at once',
    async (sign) => {
      expect(await computedMilliseconds(() => blocksOf(sign.repeat(50_000)))).toBeLessThan(2_000);
    },
  );
});

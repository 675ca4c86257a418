import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ReplyText } from '#lib/ai/markup/reply-text.ts';
import { parseToolInput } from '#lib/ai/tool-input.ts';
import { fc, runs } from '#test/support/fast-check.ts';
import { hidden, ordinary, writtenCalls } from '#test/support/written-markup.ts';

const properties = { query: { type: 'string' }, maxPrice: { type: 'number' } };
const tools = [{ name: 'search_menu', description: 'Finds products.', inputSchema: { type: 'object', properties } }];

function read(pieces: readonly string[], options: { readonly reasoning?: boolean } = {}) {
  const reply = new ReplyText({ tools, ...options });
  const shown = pieces.map((piece) => reply.push(piece)).join('');
  const { text, calls } = reply.end();
  return { text: shown + text, calls: calls.map(({ name, input }) => [name, parseToolInput(input)]) };
}

/** A text as a whole, character by character, and cut at each position. */
const cuts = (text: string): string[][] => [
  [text],
  [...text],
  ...Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => [
    text.slice(0, index + 1),
    text.slice(index + 1),
  ]),
];

type Read = ReturnType<typeof read>;

/** The cuts of a text that are read in another way. One comparison by `expect` for each cut would take most of the time. */
const otherwise = (text: string, expected: Read, options = {}) =>
  cuts(text)
    .map((pieces) => ({ pieces, seen: read(pieces, options) }))
    .filter(({ seen }) => !isDeepStrictEqual(seen, expected));

describe('the text of a reply, however it is cut', () => {
  it.each(hidden)('%j shows %j', (reply, visible) => {
    expect(otherwise(reply, { text: visible, calls: [] })).toEqual([]);
  });

  it.each(ordinary)('%j stays as it is', (reply) => {
    expect(otherwise(reply, { text: reply, calls: [] })).toEqual([]);
  });

  it.each(writtenCalls)('%j calls a tool', (reply, input) => {
    const expected = { text: 'Let me look.\n', calls: [['search_menu', input]] };
    expect(otherwise(`Let me look.\n${reply}`, expected)).toEqual([]);
    expect(read([reply])).toEqual({ ...expected, text: '' });
  });
});

describe('reasoning whose opening tag is in the prompt', () => {
  const endings = [
    '</think>',
    '</THINKING>',
    '[/THINK]',
    '◁/think▷',
    '<|END_THINKING|>',
    '<channel|>',
    '<|end|><|start|>assistant<|channel|>final<|message|>',
  ];

  it.each(endings)('is not shown before %j if the agent says that its model reasons', (ending) => {
    const expected = { text: 'Hello <b>world</b>', calls: [] };
    expect(otherwise(`Secret plan.\n${ending}\n\nHello <b>world</b>`, expected, { reasoning: true })).toEqual([]);
  });

  it.each(endings.slice(0, 6))('is an error at %j if it has been shown', (ending) => {
    const reply = new ReplyText({ tools });
    expect(reply.push('Secret plan.\n')).toBe('Secret plan.\n');
    expect(() => reply.push(`${ending}\n\nHello world`)).toThrow(expect.objectContaining({ name: 'ModelError' }));
  });

  it('is not shown if it arrives together with its closing tag', () => {
    expect(read(['Secret plan.</think>Hello world'])).toEqual({ text: 'Hello world', calls: [] });
  });

  it('is not expected if the server has separated it', () => {
    const reply = new ReplyText({ tools, reasoning: true });
    reply.skipReasoning();
    expect(reply.push('Hello <think>no</think>world')).toBe('Hello world');
  });

  it('may begin with its opening tag all the same, and without any end is no answer', () => {
    expect(read(['<think>a <thinking>b</thinking> c</think>Yes.'], { reasoning: true }).text).toBe('Yes.');
    expect(read(['Secret plan.'], { reasoning: true })).toEqual({ text: '', calls: [] });
    const called = ['Secret <tool_call>{"name":"search_menu","arguments":{}}</tool_call>'];
    expect(read(called, { reasoning: true })).toEqual({ text: '', calls: [['search_menu', {}]] });
  });
});

describe('calls of tools in a text', () => {
  it('are read one after the other', () => {
    const texts = [
      '[TOOL_CALLS]search_menu[ARGS]{"query":"a"}[TOOL_CALLS]search_menu[ARGS]{"query":"b"}',
      '<|python_tag|>{"name":"search_menu","parameters":{"query":"a"}}; {"name":"search_menu","parameters":{"query":"b"}}',
      '[search_menu(query="a"), search_menu(query="b")]',
      '<tool_calls>\n{"name":"search_menu","arguments":{"query":"a"}}\n{"name":"search_menu","arguments":{"query":"b"}}\n</tool_calls>',
    ];
    for (const text of texts) {
      expect([text, read([text]).calls]).toEqual([
        text,
        [
          ['search_menu', { query: 'a' }],
          ['search_menu', { query: 'b' }],
        ],
      ]);
    }
  });

  it('keep the name of a tool that is not offered if markup shows that they are calls', () => {
    const reply = '<tool_call>{"name":"delete_menu","arguments":{"id":1}}</tool_call>';
    expect(read([reply]).calls).toEqual([['delete_menu', { id: 1 }]]);
    expect(read(['{"name":"delete_menu","arguments":{"id":1}}'])).toEqual({
      text: '{"name":"delete_menu","arguments":{"id":1}}',
      calls: [],
    });
  });

  it('leave the blank lines before them, however they are cut', () => {
    const reply = 'Yes.\n\n{"name":"search_menu","arguments":{}}';
    for (const pieces of [[reply], [...reply]]) {
      expect(read(pieces)).toEqual({ text: 'Yes.\n\n', calls: [['search_menu', {}]] });
    }
  });

  it('have no name if they cannot be read', () => {
    const reply = new ReplyText({ tools });
    expect(reply.push('Yes. <tool_call>rice, please</tool_call>')).toBe('Yes. ');
    expect(reply.end().calls).toEqual([{ name: '', input: 'rice, please' }]);
  });

  it('without any content are none', () => {
    for (const end of ['<tool_call>', '<tool_call></tool_call>', '[TOOL_CALLS]', '<tool_call>\n[]']) {
      expect([end, read([`Yes.${end}`])]).toEqual([end, { text: 'Yes.', calls: [] }]);
    }
  });
});

it('any text without the characters of markup stays as it is, however it is cut', () => {
  const plain = fc.string({ unit: 'binary' }).map((text) => text.replace(/[<[\]◁{`]/gu, '').trimStart());
  fc.assert(
    fc.property(plain, fc.integer({ min: 1, max: 7 }), (text, size) => {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      );
      expect(read(pieces)).toEqual({ text, calls: [] });
    }),
    runs(3_000),
  );
});

it('any mix of markup reads the same, however it is cut, unless a part has been shown', () => {
  const piece = fc.oneof(
    fc.constantFrom('<think>', '</think>', '[THINK]', '[/THINK]', '<|channel|>', 'analysis', 'final', '<|message|>'),
    fc.constantFrom('<|end|>', '<tool_call>', '</tool_call>', '{"name":"search_menu"', ',"arguments":{}}', '\n', '`'),
    fc.constantFrom('<', '|>', '<|', '[', ']', '<answer>', '</s>', '<s>', 'search_menu(', ')', 'Hello ', '```json\n'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const whole = attempt([text]);
      const cut = attempt([...text]);
      if (cut !== 'shown') expect([text, cut]).toEqual([text, whole]);
    }),
    runs(20_000),
  );
});

function attempt(pieces: readonly string[]) {
  try {
    return read(pieces);
  } catch (error) {
    if ((error as Error).name === 'ModelError') return 'shown';
    throw error;
  }
}

/**
 * The meaning of a piece of markup.
 * - `reasoning` and `reasoned` are around reasoning
 * - `header` begins the header of a message, and `message` ends it
 * - `answer` begins the visible text, and `end` ends it
 * - `wrapper` is around an answer that follows reasoning; elsewhere it is text
 * - `calls` begins calls of tools
 * - `nothing` means nothing for a reply
 */
type Kind = 'reasoning' | 'reasoned' | 'header' | 'message' | 'answer' | 'end' | 'wrapper' | 'calls' | 'nothing';

/** A piece of a model's markup. */
export interface Mark {
  readonly kind: Kind;
  readonly length: number;
  /** Reasoning ends with the name it began with. */
  readonly name: string;
  /** True for a tag, which may be quoted in an answer about HTML. */
  readonly isTag: boolean;
}

/** A character with which markup begins. */
export const markStart = /[<[\]◁]/;

/** Kinds of tags by their names, without a namespace: `<think>`, `<seed:think>`, `<think:opensource>`. */
const tagKinds: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:think|thinking|thoughts?|reasoning|reflection|scratch_?pad|inner_monologue|antthinking)$/, 'reasoning'],
  [/^(?:(?:longcat_)?tool_?calls?|function_?calls?|start_function_call|tool_code)$/, 'calls'],
  [/^(?:tool|function)_?(?:response|result|output)s?$|^start_function_response$/, 'end'],
  [/^(?:end_of_turn|eos)$/, 'end'],
  [/^start_of_turn$/, 'header'],
  [/^(?:answer|response|final_answer)$/, 'wrapper'],
  [/^(?:bos|pad|unk|end_function_call)$/, 'nothing'],
];

/** Kinds of control tokens by their names: `<|im_end|>`, `<｜User｜>`, `<|channel>`. The first match counts. */
const tokenKinds: readonly (readonly [RegExp, Kind])[] = [
  [
    /^(?:channel|start|im_start|im_(?:assistant|user|system)|start_header_id|header_start|start_of_role|turn)$/,
    'header',
  ],
  [/^(?:message|end_header_id|header_end|end_of_role|im_middle)$/, 'message'],
  [/^(?:start_thinking|begin_of_thought|inner_prefix|content_thinking|think)$/, 'reasoning'],
  [/^(?:end_thinking|end_of_thought|inner_suffix|\/think)$/, 'reasoned'],
  [/^(?:start_(?:text|response)|content_text|assistant|chatbot_token|begin_of_solution)$/, 'answer'],
  [
    /(?:tool|function)_?(?:response|result|output|error)|^(?:message_)?(?:user|system|tool|observation|ipython)(?:_token)?$/,
    'end',
  ],
  [/^(?!.*end).*(?:tool|function)_?calls?|^python_(?:tag|start)$|^start_action$|^action_start$/, 'calls'],
  [/^tools_prefix$|^content_invoke_tool/, 'calls'],
  [/tool|function|action|python/, 'nothing'],
  [/^(?:eo[a-z]+(?:_id)?|return|call|im_end)$|^end|_end_|end_of/, 'end'],
];

/** Tokens without a system. */
const words: Readonly<Record<string, Kind>> = {
  '[THINK]': 'reasoning',
  '[/THINK]': 'reasoned',
  '◁think▷': 'reasoning',
  '◁/think▷': 'reasoned',
  '[TOOL_CALLS]': 'calls',
  '[TOOL_RESULTS]': 'end',
  '[INST]': 'end',
  '[/INST]': 'nothing',
  '[EOS]': 'end',
  ']<]minimax[>[': 'nothing',
};

/** Finds tags: their slash, qualified name and attributes. */
export const tagSource = String.raw`<(\/?)((?:[|｜]\w+[|｜])?\w+(?::\w+)?)([\s=/][^<>]*)?>`;
const tag = new RegExp(`^${tagSource}`);
const openTag = /^<\/?((?:[|｜]\w+[|｜])?\w+(?::\w+)?)([\s=/][^<>]{0,300})$/;
const openName = /^<\/?(?:[|｜]\w*[|｜]?)?[\w:]{0,60}$/;
const token = /^<[|｜]([^\s<>|｜]{1,64})[|｜]?>/;
const openToken = /^<[|｜][^\s<>|｜]{0,64}[|｜]?$/;
/** The second half of a pair such as `<|channel>` and `<channel|>`. */
const lastToken = /^<([a-z_]{1,32})\|>/;
const openLastToken = /^<[a-z_]{1,32}\|$/;
const spelledTag = /^<\|(open|close)\|>(\w+)[^<]*<\|sep\|>/;
const spelledTagStart = /^<\|(?:open|close)\|>/;
const spelledTagEnd = '<|sep|>';
const spelledTagMax = 300;
/** `[THINK]ING` is a word. */
const word = /^\[THINK\](?:ING|ERS?|S)(?!\p{L})/u;
const openWord = /^\[THINK\](?:I|IN|ING|E|ER|ERS|S)?$/;

/** @returns the mark at the start of a text, `open` if the text may still become one, or undefined */
export const markAt = (text: string): Mark | 'open' | undefined =>
  text.startsWith('<') ? (spelledAt(text) ?? tokenAt(text) ?? tagAt(text)) : wordAt(text);

/** True if the text can only be the beginning of a control token. */
export const isTokenStart = (text: string): boolean => /^<[|｜]/.test(text);

function wordAt(text: string): Mark | 'open' | undefined {
  if (openWord.test(text)) return 'open';
  if (word.test(text)) return undefined;
  for (const [written, kind] of Object.entries(words)) {
    if (text.startsWith(written)) return { kind, length: written.length, name: 'think', isTag: false };
    if (written.startsWith(text)) return 'open';
  }
  return undefined;
}

const spelledKinds: Readonly<Record<string, Kind>> = {
  think: 'reasoning',
  response: 'answer',
  tools: 'calls',
  call: 'calls',
};

/** A tag such as `<|open|>think<|sep|>`. */
function spelledAt(text: string): Mark | 'open' | undefined {
  const [found = '', side, name = ''] = spelledTag.exec(text) ?? [];
  const mark = { length: found.length, name, isTag: false };
  if (side === 'open') return { ...mark, kind: spelledKinds[name] ?? 'nothing' };
  if (side === 'close') return { ...mark, kind: name === 'think' ? 'reasoned' : 'nothing' };
  const [start] = spelledTagStart.exec(text) ?? [];
  if (start === undefined || text.length > spelledTagMax) return undefined;
  const end = text.indexOf('<', start.length);
  return end === -1 || spelledTagEnd.startsWith(text.slice(end)) ? 'open' : undefined;
}

const lastTokenKinds: Readonly<Record<string, Kind>> = { channel: 'reasoned', turn: 'end' };

function tokenAt(text: string): Mark | 'open' | undefined {
  const [found = '', name] = token.exec(text) ?? [];
  if (name !== undefined) {
    const spelling = name.toLowerCase().replaceAll('▁', '_');
    const kind = tokenKinds.find(([names]) => names.test(spelling))?.[1] ?? 'nothing';
    return { kind, length: found.length, name: 'token', isTag: false };
  }
  const [last = '', lastName] = lastToken.exec(text) ?? [];
  if (lastName === undefined) return openToken.test(text) || openLastToken.test(text) ? 'open' : undefined;
  return { kind: lastTokenKinds[lastName] ?? 'nothing', length: last.length, name: lastName, isTag: false };
}

function tagAt(text: string): Mark | 'open' | undefined {
  const [found, slash = '', written = '', attributes = ''] = tag.exec(text) ?? [];
  if (found === undefined) {
    const [, qualified = '', begun = ''] = openTag.exec(text) ?? [];
    return openName.test(text) || kindOfTag(localName(qualified), '', `${begun} name=`) ? 'open' : undefined;
  }
  const name = localName(written);
  const kind = kindOfTag(name, slash, attributes);
  return kind && { kind, length: found.length, name, isTag: true };
}

/** The name of a tag without its vendor's: `seed:think`, `think:opensource`, `｜DSML｜invoke`. */
export const localName = (qualified: string): string =>
  qualified
    .toLowerCase()
    .replace(/^[|｜]\w+[|｜]|:opensource$/g, '')
    .replace(/^\w+:/, '');

function kindOfTag(name: string, slash: string, attributes: string): Kind | undefined {
  // Elsewhere `s` is struck text.
  if (name === 's') return slash === '' ? undefined : 'end';
  if (name === 'function' && attributes.startsWith('=')) return slash === '' ? 'calls' : 'nothing';
  if (name === 'invoke' && attributes.includes('name=')) return slash === '' ? 'calls' : 'nothing';
  const kind = tagKinds.find(([names]) => names.test(name))?.[1];
  if (kind === 'reasoning' && attributes.endsWith('/')) return 'nothing';
  if (slash === '' || kind === 'wrapper' || kind === 'end') return kind;
  return kind && (kind === 'reasoning' ? 'reasoned' : 'nothing');
}

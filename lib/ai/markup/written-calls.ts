import { isObject, type JsonObject, jsonIn } from '#lib/domain/input.ts';
import type { EngineRequest } from '../engine.ts';
import { localName, tagSource } from './marks.ts';

/** A call of a tool that a model has written into its text. */
export interface WrittenCall {
  readonly name: string;
  /** JSON, or a text that the tool refuses. */
  readonly input: string;
}

type Tools = EngineRequest['tools'];

/** A part of the text with its own call: its name and inputs as far as tags say them, and the rest of its text. */
interface Part {
  readonly name: string;
  readonly inputs: Record<string, string>;
  rest: string;
}

/** Values that are tried. Only a text that is no call has more. */
const triesMax = 50;
/** The text before the inputs of a call is shorter. */
const startCharactersMax = 300;

/**
 * Reads calls in all forms of the common models: JSON with the name inside or before it, tags, and Python.
 * @param isMarked a text that is no call is then an unnamed call, so that the model learns that it was not understood
 */
export function writtenCalls(text: string, tools: Tools, isMarked: boolean): WrittenCall[] {
  const parts = partsOf(withoutTokens(text));
  const calls = parts.flatMap((part) => callsOf(part, tools)).filter(({ name }) => isMarked || isOffered(name, tools));
  const rest = parts
    .map((part) => part.rest)
    .join('')
    .trim();
  if (calls.length === 0 && isMarked && /[\p{L}\p{N}]/u.test(rest)) return [{ name: '', input: rest }];
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}

/** Whether a line begins with a call without markup; `open` if more text is needed. */
export function startsCall(text: string, tools: Tools): boolean | 'open' {
  const start = text.slice(0, startCharactersMax);
  const isCall = lineStartsCall(start, tools);
  return isCall === 'open' ? start === text && 'open' : isCall;
}

function lineStartsCall(text: string, tools: Tools): boolean | 'open' {
  const call = text.replace(/^[^\S\n]*(?:```\w*\s*)?(?:functools\s*)?(?:\[\s*)?/, '');
  if (call === '') return text.trim() !== '' && 'open';
  if (call.startsWith('{')) {
    const [, key, name] = /^\{\s*"(\w+)"\s*:\s*(?:"([^"]*)"|[^"\s])/.exec(call) ?? [];
    if (key === undefined) return /^\{\s*(?:"\w*(?:"\s*(?::\s*(?:"[^"]{0,100})?)?)?)?$/.test(call) && 'open';
    if (nameKeys.has(key) && name !== undefined) return isOffered(name, tools);
    return nameKeys.has(key) || inputKeys.has(key) || (key === 'type' && name === 'function');
  }
  if (tools.some(({ name }) => call.startsWith(`${name}(`))) return true;
  const isOpen = ['``', 'functools', ...tools.map(({ name }) => `${name}(`)].some((start) => start.startsWith(call));
  return isOpen && 'open';
}

const nameKeys = new Set(['name', 'tool_name', 'tool', 'function']);
const inputKeys = new Set(['arguments', 'parameters', 'args', 'input']);

const isOffered = (name: string, tools: Tools): boolean => tools.some((tool) => tool.name === nameOf(name, tools));

/** The name of an offered tool without what models add to it: `functions.search_menu:0`. */
function nameOf(written: string, tools: Tools): string {
  const bare = written.replace(/:\d+$/, '');
  const last = bare.split(/[.:]/).at(-1) ?? '';
  return [bare, last].find((name) => tools.some((tool) => tool.name === name)) ?? written;
}

/** Replaces control tokens by blanks, and the tags and quotes that are made of them by common ones. */
const withoutTokens = (text: string): string =>
  text
    .replace(/<\|"\|>|<escape>/g, '"')
    .replace(/<\|open\|>([^<]*)<\|sep\|>/g, '<$1>')
    .replace(/<\|close\|>([^<]*)<\|sep\|>/g, '</$1>')
    .replaceAll(']<]minimax[>[', '')
    .replace(/\[(?:TOOL_CALLS|ARGS|CALL_ID)\]/g, ' ')
    .replace(/<[|｜][^\s<>|｜]{1,64}[|｜]?>|<[a-z_]{1,32}\|>/g, ' ');

/** Tags around calls, and around the inputs of a call. */
const callTag = /^(?:function|invoke|call|(?:longcat_)?tool_?calls?|function_?calls?|start_function_call|tool_code)$/;
const inputTag = /^(?:parameter|argument|arg_value)$/;
const keyAttribute = /(?:^=|(?:name|key|tool)=)\s*["']?([^\s"'>]+)/;

function partsOf(text: string): Part[] {
  const parts: Part[] = [{ name: '', inputs: {}, rest: '' }];
  let part = parts[0] as Part;
  let key = '';
  let open: { readonly tag: string; readonly key: string; text: string } | undefined;
  let end = 0;
  const read = (plain: string): void => {
    if (open) open.text += plain;
    else part.rest += plain;
  };
  for (const { 0: found, 1: slash, 2: written = '', 3: attributes = '', index } of text.matchAll(
    new RegExp(tagSource, 'g'),
  )) {
    read(text.slice(end, index));
    end = index + found.length;
    const tag = localName(written);
    const [, value = ''] = keyAttribute.exec(attributes) ?? [];
    if (open) {
      if (slash === '' || tag !== open.tag) read(found);
      else {
        if (tag === 'arg_key') key = open.text.trim();
        else part.inputs[open.key] = open.text.trim();
        open = undefined;
      }
    } else if (callTag.test(tag)) {
      if (slash !== '') continue;
      part = { name: value, inputs: {}, rest: '' };
      parts.push(part);
    } else if (slash === '' && inputTag.test(tag)) open = { tag, key: value || key, text: '' };
    else if (slash === '' && tag === 'arg_key') open = { tag, key: '', text: '' };
    else if (slash === '' && part.name !== '' && part.rest.trim() === '') open = { tag, key: written, text: '' };
    else if (tag !== 'tool_sep') read(found);
  }
  read(text.slice(end));
  if (open) part.inputs[open.key] = open.text.trim();
  return parts;
}

function callsOf({ name, inputs, rest }: Part, tools: Tools): WrittenCall[] {
  if (Object.keys(inputs).length > 0 || (name !== '' && !rest.includes('{'))) {
    const called = nameOf(name || nameIn(rest, tools), tools);
    return [{ name: called, input: JSON.stringify(typed(inputs, called, tools)) }];
  }
  const calls = jsonCalls(rest, name, tools);
  return calls.length > 0 ? calls : pythonCalls(rest, tools);
}

/** Words around the name of a call. */
const noNames = new Set(['function', 'call', 'json', 'functools', 'print']);

/** The name before the inputs of a call: an offered tool's, or else the first word. */
function nameIn(text: string, tools: Tools): string {
  const names = (text.match(/[A-Za-z_][\w.-]*(?::\d+)?/g) ?? []).filter((word) => !noNames.has(word));
  return names.findLast((name) => isOffered(name, tools)) ?? names[0] ?? '';
}

function jsonCalls(text: string, tagName: string, tools: Tools): WrittenCall[] {
  const calls: WrittenCall[] = [];
  let before = 0;
  let from = 0;
  for (let tries = 0; tries < triesMax; tries++) {
    const length = text.slice(from).search(/[{[]/);
    if (length === -1) break;
    const start = from + length;
    const written = balanced(text, start);
    const value = written === undefined ? undefined : parsed(written);
    from = start + (value === undefined ? 1 : (written?.length ?? 1));
    if (value === undefined) continue;
    calls.push(...callsIn(value, tagName || nameIn(text.slice(before, start), tools), tools));
    before = from;
  }
  return calls;
}

/** The array or object at a position, as text. */
function balanced(text: string, start: number): string | undefined {
  let depth = 0;
  for (let index = start, isString = false; index < text.length; index++) {
    const character = text[index] as string;
    if (character === '\\' && isString) index++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if ('{['.includes(character)) depth++;
    else if ('}]'.includes(character) && --depth === 0) return text.slice(start, index + 1);
  }
  return undefined;
}

/** Parses JSON, also with keys without quotes. */
const parsed = (text: string): unknown =>
  jsonIn(text) ?? jsonIn(text.replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":'));

function callsIn(value: unknown, before: string, tools: Tools): WrittenCall[] {
  if (Array.isArray(value)) return value.flatMap((item) => callsIn(item, '', tools));
  if (!isObject(value)) return [];
  const called = isObject(value['function']) ? value['function'] : value;
  const name = firstOf(called, nameKeys);
  const input = firstOf(called, inputKeys);
  const call = (written: string, given: unknown): WrittenCall[] => [
    { name: nameOf(written, tools), input: typeof given === 'string' ? given : JSON.stringify(given ?? {}) },
  ];
  if (typeof name === 'string' && (input !== undefined || before === '')) return call(name, input);
  if (before !== '') return call(before, value);
  const [[only = '', inner] = []] = Object.entries(value);
  return isOffered(only, tools) ? call(only, inner) : [];
}

const firstOf = (object: JsonObject, keys: ReadonlySet<string>): unknown =>
  [...keys].map((key) => object[key]).find((value) => value !== undefined);

const argument = /[\s,]*(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^,()'"]+))/y;

/** Calls such as `search_menu(query="rice", maxPrice=20)`, of offered tools only. */
function pythonCalls(text: string, tools: Tools): WrittenCall[] {
  return [...text.matchAll(/([A-Za-z_][\w.-]*)\(/g)].flatMap(({ 0: start, 1: written = '', index }) => {
    if (!isOffered(written, tools)) return [];
    const name = nameOf(written, tools);
    const inputs: Record<string, string> = {};
    argument.lastIndex = index + start.length;
    for (let found = argument.exec(text); found; found = argument.exec(text)) {
      const [, key = '', double, single, plain = ''] = found;
      inputs[key] = (double ?? single)?.replace(/\\(.)/g, '$1') ?? plain.trim();
    }
    return [{ name, input: JSON.stringify(typed(inputs, name, tools)) }];
  });
}

/** Texts as values of the types that the tool's schema says. */
function typed(inputs: Readonly<Record<string, string>>, name: string, tools: Tools): JsonObject {
  const schema = tools.find((tool) => tool.name === name)?.inputSchema['properties'];
  const types = isObject(schema) ? schema : {};
  return Object.fromEntries(
    Object.entries(inputs).map(([key, text]) => {
      const type = isObject(types[key]) ? types[key]['type'] : 'string';
      return [key, type === undefined || type === 'string' ? text : (parsed(text.toLowerCase()) ?? text)];
    }),
  );
}

import type { Answer } from '../call.ts';
import { TaggedBytes } from '../views.ts';
import { Register, type Step } from './register.ts';
import { products } from './world.ts';

interface MenuRead {
  readonly chef: string;
  readonly shown: ReadonlySet<string>;
  readonly start: Step;
  readonly end: Step;
}

/** Records all writes and reads of a kitchen's records, and judges them at the end. */
export class History {
  readonly #registers = new Map<string, Register>();
  readonly #tags = new TaggedBytes();
  readonly #faults: string[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #menus: MenuRead[] = [];
  #step: Step = 0;

  /** @param initial the values that the registers have when the history begins */
  constructor(initial: ReadonlyMap<string, string>) {
    for (const [name, value] of initial) this.#registers.set(name, new Register(name, value));
  }

  step = (): Step => ++this.#step;

  /** The number of answers by status. */
  get statuses(): ReadonlyMap<number, number> {
    return this.#statuses;
  }

  fault(sentence: string): void {
    this.#faults.push(sentence);
  }

  count(status: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  /** @param end infinite when the write was not acknowledged */
  wrote(register: string, value: string, start: Step, end: Step): void {
    this.#registers.get(register)?.write({ value, start, end });
  }

  /** Records every register in an answer. @returns the bytes of the answer; for a 304 those that its tag identifies */
  saw(request: string, answer: Answer, start: Step, end: Step): string | undefined {
    const text = this.textOf(request, answer);
    if (text === undefined) return undefined;
    for (const [register, value] of shownIn(JSON.parse(text))) this.read(register, value, start, end);
    return text;
  }

  /** The bytes of an answer; for a 304 those that its tag identifies. */
  textOf(request: string, answer: Answer): string | undefined {
    try {
      this.#tags.check(request, answer);
    } catch (error) {
      this.fault(String(error));
    }
    return answer.status === 304 ? this.#tags.textOf(request, answer.headers['etag'] ?? '') : answer.text;
  }

  read(register: string, value: string, start: Step, end: Step): void {
    const found = this.#registers.get(register);
    if (found) found.read({ value, start, end });
    else this.fault(`${register} was shown and is no record of the history.`);
  }

  /** Records which of these records, each with one register, an answer does not show. */
  missed(ids: readonly string[], answer: Json, start: Step, end: Step): void {
    const shown = new Set([...shownIn(answer)].map(([register]) => register.split('.')[0]));
    for (const id of ids) if (!shown.has(id)) this.#registers.get(registerOf(id))?.absent({ start, end });
  }

  /**
   * The products that a menu shows with a chef. The menu reads its lists sequentially. So each product shows a correct
   * value of some moment during the request, but not all the same moment.
   */
  sawInMenu(chef: string, shown: ReadonlySet<string>, start: Step, end: Step): void {
    this.#menus.push({ chef, shown, start, end });
  }

  *#menuFaults(): Generator<string> {
    for (const { chef, shown, start, end } of this.#menus) {
      const possible = this.#registers.get(`${chef}.signature`)?.possibleValues(start, end) ?? [];
      for (const product of products) {
        const isShown = shown.has(product);
        if (possible.some((value) => value.split(',').includes(product) === isShown)) continue;
        yield `${product} shows ${isShown ? '' : 'no '}${chef} (${start} to ${end}), who had ${possible.join(' or ')}.`;
      }
    }
  }

  /** @returns a sentence for each answer that one table behind one container could not have given */
  violations = (): string[] => [
    ...this.#faults,
    ...[...this.#registers.values()].flatMap((register) => register.violations()),
    ...this.#menuFaults(),
  ];
}

/** The members of a record that are registers; the ids of products are one value. */
const memberOf: Readonly<Record<string, readonly string[]>> = {
  chef: ['name', 'signature'],
  thing: ['title'],
  note: ['title'],
  prod: ['name'],
  guest: ['name'],
  jot: ['title'],
};

/** The register of a record that has one. */
export const registerOf = (id: string): string => `${id}.${memberOf[id.split('_')[0] ?? '']?.[0]}`;

// biome-ignore lint/suspicious/noExplicitAny: the function accepts any JSON.
type Json = any;

/** The registers in an answer, by name and value: one for each appearance of a record. */
function* shownIn(json: Json): Generator<readonly [register: string, value: string]> {
  if (Array.isArray(json)) for (const part of json) yield* shownIn(part);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return;
  const kind = /^([a-z]+)_\d+$/.exec(json.id)?.[1] ?? '';
  for (const member of memberOf[kind] ?? []) {
    if (json[member] !== undefined) yield [`${json.id}.${member}`, valueIn(json[member])];
  }
  for (const part of Object.values(json)) yield* shownIn(part);
}

/** The value of a register: a text, the English one, or the ids of related records. */
const valueIn = (value: Json): string =>
  Array.isArray(value) ? value.map(({ id }) => id).join() : String(value?.en ?? value);

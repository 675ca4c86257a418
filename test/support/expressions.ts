/** The expressions of a call, with DynamoDB's names. */
export interface Expressions {
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined;
}

type Members = Readonly<Record<string, unknown>>;

const tokens = /[#:]?\w+|<=|>=|[=(),]/g;

/** Whether an item fulfils a condition. It supports only the conditions of imports. @throws on any other */
export function evaluate(
  expression: string,
  { ExpressionAttributeNames, ExpressionAttributeValues }: Expressions,
  item: object,
): boolean {
  const words = wordsOf(expression);
  const names = ExpressionAttributeNames ?? {};
  const values = ExpressionAttributeValues ?? {};
  const next = (expected?: string): string => {
    const word = words.shift() ?? '';
    if (word === '' || (expected !== undefined && word !== expected)) throw unknown(expression);
    return word;
  };
  const nameOf = (word: string): string => (word.startsWith('#') ? (names[word] ?? '') : word);
  const operand = (): unknown => {
    const word = next();
    return word.startsWith(':') ? values[word] : (item as Members)[nameOf(word)];
  };

  const either = (): boolean => {
    let holds = both();
    while (words[0] === 'OR') {
      next();
      holds = both() || holds;
    }
    return holds;
  };
  const both = (): boolean => {
    let holds = term();
    while (words[0] === 'AND') {
      next();
      holds = term() && holds;
    }
    return holds;
  };
  const term = (): boolean => {
    if (words[0] === '(') {
      next();
      const holds = either();
      next(')');
      return holds;
    }
    if (words[0] === 'attribute_exists' || words[0] === 'attribute_not_exists') {
      const wanted = next() === 'attribute_exists';
      next('(');
      const exists = nameOf(next()) in item;
      next(')');
      return exists === wanted;
    }
    return comparison();
  };
  const comparison = (): boolean => {
    const left = operand();
    const operator = next();
    if (operator === 'BETWEEN') {
      const from = operand();
      next('AND');
      const to = operand();
      return compare(left, from) >= 0 && compare(left, to) <= 0;
    }
    const right = operand();
    if (operator === '=') return left === right;
    if (operator === '>=') return compare(left, right) >= 0;
    if (operator === '<=') return compare(left, right) <= 0;
    throw unknown(expression);
  };

  const holds = either();
  if (words.length > 0) throw unknown(expression);
  return holds;
}

/** The item after an update. It supports only the updates of imports. @throws on any other */
export function updated(
  expression: string,
  { ExpressionAttributeNames, ExpressionAttributeValues }: Expressions,
  item: unknown,
): object {
  const before = item as Members;
  const after: Record<string, unknown> = { ...before };
  const nameOf = (word: string): string => {
    const name = word.startsWith('#') ? ExpressionAttributeNames?.[word] : word;
    if (name === undefined || !/^[#\w]+$/.test(word)) throw unknown(expression);
    return name;
  };
  const valueAt = (word: string): unknown => {
    if (!/^:\w+$/.test(word)) throw unknown(expression);
    return ExpressionAttributeValues?.[word];
  };
  for (const clause of expression.split(/ (?=(?:SET|ADD|REMOVE) )/)) {
    const [, verb, list = ''] = /^(SET|ADD|REMOVE) (.+)$/.exec(clause) ?? [];
    for (const part of list.split(/, (?![^(]*\))/)) {
      if (verb === 'REMOVE') delete after[nameOf(part)];
      else if (verb === 'ADD') {
        const [name = '', value = ''] = part.split(' ');
        after[nameOf(name)] = Number(before[nameOf(name)] ?? 0) + Number(valueAt(value));
      } else if (verb === 'SET') {
        const [target = '', source = ''] = part.split(' = ');
        const [, kept, otherwise = ''] = /^if_not_exists\((\S+), (\S+)\)$/.exec(source) ?? [];
        after[nameOf(target)] = kept === undefined ? valueAt(source) : (before[nameOf(kept)] ?? valueAt(otherwise));
      } else throw unknown(expression);
    }
  }
  return after;
}

function wordsOf(expression: string): string[] {
  const words = expression.match(tokens) ?? [];
  if (words.join('') !== expression.replaceAll(/\s/g, '')) throw unknown(expression);
  return words;
}

/** The order of DynamoDB's keys, by UTF-8 bytes. */
function compare(a: unknown, b: unknown): number {
  if (typeof a !== 'string' || typeof b !== 'string') throw new Error('Only strings are compared.');
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const unknown = (expression: string): Error => new Error(`The table in memory does not know: ${expression}`);

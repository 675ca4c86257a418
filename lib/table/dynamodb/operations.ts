import type * as library from '@aws-sdk/lib-dynamodb';

/** The operations on items. As in lib-dynamodb, inputs and outputs have plain values; DynamoDB's JSON has attributes. */
interface Operations {
  readonly BatchGetItem: { input: library.BatchGetCommandInput; output: library.BatchGetCommandOutput };
  readonly BatchWriteItem: { input: library.BatchWriteCommandInput; output: library.BatchWriteCommandOutput };
  readonly PutItem: { input: library.PutCommandInput; output: library.PutCommandOutput };
  readonly Query: { input: library.QueryCommandInput; output: library.QueryCommandOutput };
  readonly TransactWriteItems: { input: library.TransactWriteCommandInput; output: library.TransactWriteCommandOutput };
  readonly UpdateItem: { input: library.UpdateCommandInput; output: library.UpdateCommandOutput };
}

export type Operation = keyof Operations;
export type Input<Name extends Operation> = Operations[Name]['input'];
export type Output<Name extends Operation> = Omit<Operations[Name]['output'], '$metadata'>;

/** An input in DynamoDB's JSON. @throws TypeError if a value cannot be stored */
export const requestOf = <Name extends Operation>(input: Input<Name>): object =>
  converted(input, '', marshal) as object;

/** @param answer as DynamoDB has sent it */
export const outputOf = <Name extends Operation>(answer: object): Output<Name> =>
  converted(answer, '', unmarshal) as Output<Name>;

/** The members of inputs and outputs that are items, or have their form: maps of attributes, or lists of such maps. */
const maps: ReadonlySet<string> = new Set([
  ...['Item', 'Key', 'Keys', 'ExpressionAttributeValues', 'ExclusiveStartKey'],
  ...['Items', 'Attributes', 'LastEvaluatedKey'],
]);

/** What the members of a map by the names of tables are. */
const byTable: Readonly<Record<string, string>> = {
  Responses: 'Items',
  ...{ RequestItems: 'calls', UnprocessedKeys: 'calls', UnprocessedItems: 'calls' },
};

/** Converts all items in a part of an input or an output. @param name that of the part */
function converted(part: unknown, name: string, convert: (map: never) => unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((item) => converted(item, name, convert));
  if (maps.has(name)) return convert(part as never);
  const members: Plain = {};
  for (const member in part) {
    members[member] = converted((part as Plain)[member], byTable[name] ?? member, convert);
  }
  return members;
}

/** A value in DynamoDB's JSON, with one member. Binary values are base64. Sets are missing: no item has one. */
interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly B?: string;
  readonly L?: readonly AttributeValue[];
  readonly M?: Attributes;
}

export type Attributes = Readonly<Record<string, AttributeValue>>;

type Plain = Record<string, unknown>;

/** Members that are undefined are left out. @throws TypeError for numbers and objects that JSON does not have */
function marshal(map: Readonly<Plain>): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  for (const name in map) {
    const value = map[name];
    if (isKept(value)) attributes[name] = attributeOf(value);
  }
  return attributes;
}

export function unmarshal(attributes: Attributes): Plain {
  const map: Plain = {};
  for (const name in attributes) map[name] = plainValue(attributes[name] as AttributeValue);
  return map;
}

const isKept = (value: unknown): boolean => value !== undefined && typeof value !== 'function';

function attributeOf(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (typeof value === 'number' && Number.isFinite(value)) return { N: String(value) };
  if (Array.isArray(value)) return { L: value.filter(isKept).map(attributeOf) };
  if (value instanceof Uint8Array)
    return { B: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') };
  if (isPlain(value)) return { M: marshal(value) };
  throw new TypeError(`DynamoDB cannot store ${String(value)}.`);
}

/** Not an instance of a class, even if another realm has made it, as `structuredClone` does in a test. */
function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function plainValue({ S, N, BOOL, M, L, B }: AttributeValue): unknown {
  if (S !== undefined) return S;
  // All numbers were written as JavaScript numbers, so reading them as such loses nothing.
  if (N !== undefined) return Number(N);
  if (M !== undefined) return unmarshal(M);
  if (L !== undefined) return L.map(plainValue);
  if (B !== undefined) return Buffer.from(B, 'base64');
  return BOOL ?? null;
}

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

/** @throws TypeError if a value cannot be stored */
export const requestOf = <Name extends Operation>(operation: Name, input: Input<Name>): object =>
  requests[operation](input);

/** @param answer as DynamoDB has sent it */
export const outputOf = <Name extends Operation>(operation: Name, answer: Answer): Output<Name> =>
  (outputs[operation]?.(answer) ?? answer) as Output<Name>;

/** A write, an update, a check or a query. */
interface Statement {
  readonly Item?: Readonly<Plain> | undefined;
  readonly Key?: Readonly<Plain> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Plain> | undefined;
  readonly ExclusiveStartKey?: Readonly<Plain> | undefined;
}

const statement = (input: Statement) => ({
  ...input,
  Item: input.Item && marshal(input.Item),
  Key: input.Key && marshal(input.Key),
  ExpressionAttributeValues: input.ExpressionAttributeValues && marshal(input.ExpressionAttributeValues),
  ExclusiveStartKey: input.ExclusiveStartKey && marshal(input.ExclusiveStartKey),
});

const requests: { readonly [Name in Operation]: (input: Input<Name>) => object } = {
  BatchGetItem: (input) => ({
    ...input,
    RequestItems: mapValues(input.RequestItems, (read) => ({ ...read, Keys: read.Keys?.map(marshal) })),
  }),
  BatchWriteItem: (input) => ({
    ...input,
    RequestItems: mapValues(input.RequestItems, (writes) => writes.map((write) => mapValues(write, statement))),
  }),
  PutItem: statement,
  Query: statement,
  TransactWriteItems: (input) => ({
    ...input,
    TransactItems: input.TransactItems?.map((write) => mapValues(write, statement)),
  }),
  UpdateItem: statement,
};

/** An answer of DynamoDB, with the members that have attributes. */
interface Answer {
  readonly Attributes?: Attributes;
  readonly Items?: readonly Attributes[];
  readonly LastEvaluatedKey?: Attributes;
  readonly Responses?: Readonly<Record<string, readonly Attributes[]>>;
  readonly UnprocessedItems?: Readonly<Record<string, readonly UnprocessedWrite[]>>;
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys: readonly Attributes[] }>>;
}

interface UnprocessedWrite {
  readonly [kind: string]: { readonly Item?: Attributes; readonly Key?: Attributes };
}

const outputs: { readonly [Name in Operation]?: (answer: Answer) => object } = {
  BatchGetItem: (answer) => ({
    ...answer,
    Responses: mapValues(answer.Responses, (items) => items.map(unmarshal)),
    UnprocessedKeys: mapValues(answer.UnprocessedKeys, (read) => ({ ...read, Keys: read.Keys.map(unmarshal) })),
  }),
  BatchWriteItem: (answer) => ({
    ...answer,
    UnprocessedItems: mapValues(answer.UnprocessedItems, (writes) =>
      writes.map((write) =>
        mapValues(write, ({ Item, Key }) => (Item ? { Item: unmarshal(Item) } : { Key: Key && unmarshal(Key) })),
      ),
    ),
  }),
  Query: (answer) => ({
    ...answer,
    Items: answer.Items?.map(unmarshal),
    LastEvaluatedKey: answer.LastEvaluatedKey && unmarshal(answer.LastEvaluatedKey),
  }),
  UpdateItem: (answer) => ({ ...answer, Attributes: answer.Attributes && unmarshal(answer.Attributes) }),
};

function mapValues<From, To>(map: { readonly [name: string]: From } | undefined, change: (value: From) => To) {
  return map && Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
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

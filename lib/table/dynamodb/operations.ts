import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { type Attributes, marshal, unmarshal } from './attribute-values.ts';

/** The operations on items. As in lib-dynamodb, inputs and outputs have plain values; DynamoDB's JSON has attributes. */
interface Operations {
  readonly BatchGetItem: { input: BatchGetCommandInput; output: BatchGetCommandOutput };
  readonly BatchWriteItem: { input: BatchWriteCommandInput; output: BatchWriteCommandOutput };
  readonly PutItem: { input: PutCommandInput; output: PutCommandOutput };
  readonly Query: { input: QueryCommandInput; output: QueryCommandOutput };
  readonly TransactWriteItems: { input: TransactWriteCommandInput; output: TransactWriteCommandOutput };
  readonly UpdateItem: { input: UpdateCommandInput; output: UpdateCommandOutput };
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

type Plain = Readonly<Record<string, unknown>>;

/** A write, an update, a check or a query. */
interface Statement {
  readonly Item?: Plain | undefined;
  readonly Key?: Plain | undefined;
  readonly ExpressionAttributeValues?: Plain | undefined;
  readonly ExclusiveStartKey?: Plain | undefined;
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
export interface Answer {
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

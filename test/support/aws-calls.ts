import type { S3Call } from './s3-fault-proxy.ts';
import type { TableCall } from './table-call.ts';

/** A call in terms of a policy. */
export interface PolicyCall {
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, readonly string[]>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK decides the body of a call.
type Input = any;

/** The permissions for a call of the table; a transaction needs those of its parts. */
export function tableRights({ operation, input }: TableCall): PolicyCall[] {
  const right = (name: string, partitions: readonly string[]): PolicyCall => ({
    action: `dynamodb:${name}`,
    resource: 'WorkspaceTable',
    context: { 'dynamodb:LeadingKeys': partitions },
  });
  const partitionOf = ({ Item, Key }: Input): string => (Item ?? Key).pk.S;
  switch (operation) {
    case 'TransactWriteItems':
      return (input.TransactItems as Record<string, Input>[])
        .flatMap((part) => Object.entries(part))
        .map(([kind, part]) => right(actionOfPart[kind] ?? kind, [partitionOf(part)]));
    case 'BatchWriteItem':
      return [
        right(
          operation,
          itemsOf(input).map((part: Input) => partitionOf(part.PutRequest ?? part.DeleteRequest)),
        ),
      ];
    case 'BatchGetItem':
      return [
        right(
          operation,
          itemsOf(input, 'Keys').map((key: Input) => key.pk.S),
        ),
      ];
    case 'Query':
      return [right(operation, [])];
    default:
      return [right(operation, [partitionOf(input)])];
  }
}

const itemsOf = (input: Input, member?: string): Input[] =>
  Object.values(input.RequestItems as Input).flatMap((of: Input) => (member === undefined ? of : of[member]));

const actionOfPart: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** The permission for a call of the bucket. */
export function bucketRight({ operation, key }: S3Call): PolicyCall {
  const isOfBucket = operation.startsWith('List');
  const action = bucketActions[operation] ?? operation;
  return { action: `s3:${action}`, resource: isOfBucket ? 'WorkspaceBucket' : `WorkspaceBucket/${key}`, context: {} };
}

/** Operations whose permission has another name. */
const bucketActions: Readonly<Record<string, string>> = {
  HeadObject: 'GetObject',
  CreateMultipartUpload: 'PutObject',
  UploadPart: 'PutObject',
  CompleteMultipartUpload: 'PutObject',
  ListObjectsV2: 'ListBucket',
  ListMultipartUploads: 'ListBucketMultipartUploads',
};

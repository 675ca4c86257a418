import { Aws } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { historyPrefix } from '#lib/domain/files/history-file.ts';
import type { Use } from '#lib/http/declaration.ts';
import type { Identity } from './identity.ts';
import { modelAccess } from './model-access.ts';
import type { Settings } from './settings.ts';
import { allow, deny } from './statements.ts';

/** The resources to which functions may get access. */
export interface Resources {
  readonly tableArn: string;
  readonly bucketArn: string;
  readonly identity?: Identity | undefined;
  readonly settings: Settings;
}

type UseOf<Kind extends string> = Extract<Use, `${Kind}:${string}`>;
type Actions<Kind extends string> = Readonly<Partial<Record<UseOf<Kind>, readonly string[]>>>;

/** The calls that lib/table makes for each use, and no others. A transaction needs the actions of its parts. */
const tableActions: Actions<'table'> = {
  'table:read': ['dynamodb:BatchGetItem', 'dynamodb:Query'],
  'table:update': ['dynamodb:UpdateItem'],
  'table:put': ['dynamodb:BatchWriteItem', 'dynamodb:PutItem'],
  'table:transact': ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  'table:remove': ['dynamodb:DeleteItem'],
};

/** The partition keys of lib/table/keys.ts as IAM patterns. */
const partitions = {
  workspaces: ['WORKSPACES'],
  /** API keys and members. The roles of functions that do not manage access deny every write to them. */
  access: ['KEY#*', 'ACCESS#*', 'ADDRESS#*'],
  sessions: ['SESSION#*'],
  tokens: ['TOKEN#*'],
  publicMedia: ['MEDIA#*'],
} as const;

/** Uses that may change and remove items of a few partitions only. */
const ownPartitions: Readonly<Partial<Record<Use, readonly string[]>>> = {
  'table:uploads': ['DUE#upload#*', 'W#*#attachment', 'FILES#*'],
  'table:mail': ['DUE#mail#*', 'PARKED#mail'],
  'table:compaction': ['DUE#compaction#*'],
  'table:retention': [
    ...['formResponse', 'notification', 'attachment', 'conversation'].flatMap((kind) => [
      `W#*#${kind}`,
      `W#*#${kind}#slug`,
    ]),
    ...[
      'conversations',
      'open-conversations#*',
      'message',
      'messages#*',
      'ai-runs#*',
      'read-marks#*',
      'idempotency',
    ].map((name) => `W#*#${name}`),
    // The notes of recorded answers about a customer.
    'W#*#customer#slug',
    'FILES#*',
    'DUE#upload#*',
    'DUE#conversation#*',
    // An erased person's conversations and responses are events.
    'EVENTS#*',
  ],
  // Entries and products, and what a change of them writes.
  'table:schedules': ['W#*#cms#*', 'W#*#menuProduct', 'W#*#log', 'AUDIT#*', 'VERSIONS#*', 'DUE#schedule#*'],
  'table:webhooks': ['DELIVERIES#*', 'FOLLOWERS', 'DUE#attempt#*', 'PARKED#attempt'],
  'table:rate': ['RATE#*'],
  'table:record-key-use': ['USED#*'],
  'table:media': [...partitions.publicMedia, 'DUE#image#*'],
  'table:tokens': partitions.tokens,
  'table:sessions': partitions.sessions,
  // Members, the pointers from addresses to them, and audit events.
  'table:sign-in': ['ACCESS#*#member', 'ADDRESS#*', 'AUDIT#*'],
};

const removal = 'dynamodb:DeleteItem';
const changes = [removal, 'dynamodb:PutItem', 'dynamodb:UpdateItem'];

/**
 * The calls of lib/files. HeadObject needs GetObject. The steps of a multipart upload need PutObject, except its abort.
 */
const fileActions: Actions<'files'> = {
  'files:read': ['s3:GetObject'],
  'files:remove': ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject'],
  'files:write': ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject'],
};

/** The calls for large states of records, which no other function may make below their prefix. */
const historyActions: Actions<'files'> = {
  'files:history-read': ['s3:GetObject'],
  'files:history-write': ['s3:PutObject'],
};

/** Without `s3:ListBucket`, S3 answers 403 instead of 404 for an object that does not exist. */
const bucketActions: Actions<'files'> = {
  'files:read': ['s3:ListBucket'],
  'files:media-read': ['s3:ListBucket'],
  'files:remove': ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
  'files:write': ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
};

/** The IAM statements for a declaration's `uses`. */
export function accessFor(
  uses: readonly Use[],
  { tableArn, bucketArn, identity, settings }: Resources,
): PolicyStatement[] {
  return [
    ...allow(actionsOf(uses, tableActions), [tableArn]),
    ...uses.flatMap((use) => allowWithin(ownPartitions[use] ?? [], changes, tableArn)),
    ...(uses.includes('table:end-tokens') ? allowWithin(partitions.tokens, [removal], tableArn) : []),
    // A public function can read only public images, for any path of a request.
    ...(uses.includes('table:media-read')
      ? allowWithin(partitions.publicMedia, ['dynamodb:BatchGetItem'], tableArn)
      : []),
    ...denied(uses, tableArn),
    ...deniedReads(uses, tableArn),
    ...deniedWithoutKey(uses, tableArn),
    ...allow(actionsOf(uses, fileActions), [`${bucketArn}/workspaces/*`]),
    ...(uses.includes('files:media-read') ? allow(['s3:GetObject'], [`${bucketArn}/workspaces/*/media/*`]) : []),
    ...bucketAccess(uses, bucketArn, bucketActions, 'workspaces/'),
    ...allow(actionsOf(uses, historyActions), [`${bucketArn}/${historyPrefix}*`]),
    ...bucketAccess(uses, bucketArn, { 'files:history-read': ['s3:ListBucket'] }, historyPrefix),
    ...(uses.includes('mail:send') ? mailAccess(settings) : []),
    ...(uses.includes('identity:sign-in') ? clientSecretAccess(identity) : []),
    ...(uses.includes('identity:invite') ? invitationAccess(identity, settings) : []),
    ...(uses.includes('model:invoke') ? [...modelAccess(settings), ...modelKeyAccess(settings)] : []),
  ];
}

const actionsOf = (uses: readonly Use[], actions: { readonly [Name in Use]?: readonly string[] }): string[] =>
  [...new Set(uses.flatMap((use) => actions[use] ?? []))].sort();

const allowWithin = (partitions: readonly string[], actions: readonly string[], tableArn: string): PolicyStatement[] =>
  allow(partitions.length === 0 ? [] : actions, [tableArn], {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] },
  });

const denyWithin = (partitions: readonly string[], actions: readonly string[], tableArn: string): PolicyStatement[] =>
  deny(partitions.length === 0 ? [] : actions, [tableArn], {
    'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [...partitions] },
  });

/** A sign-in may write in these partitions only to those of `table:sign-in`. */
const opensToSignIn: readonly string[] = ['ACCESS#*', 'ADDRESS#*'];

/** A function without sessions cannot even read them. */
function deniedReads(uses: readonly Use[], tableArn: string): PolicyStatement[] {
  const reads = ['table:read', 'table:media-read'] as const;
  if (uses.includes('table:session') || !reads.some((use) => uses.includes(use))) return [];
  return denyWithin(partitions.sessions, ['dynamodb:BatchGetItem', 'dynamodb:Query'], tableArn);
}

/** Prevents the function from creating API keys or tokens and from extending permissions, even if its code tries. */
function denied(uses: readonly Use[], tableArn: string): PolicyStatement[] {
  const endsTokens = uses.includes('table:end-tokens');
  const forbidden = [
    ...(uses.includes('table:access') ? [] : partitions.access),
    ...(uses.includes('table:tokens') || endsTokens ? [] : partitions.tokens),
    ...(uses.includes('table:workspace') ? [] : partitions.workspaces),
    ...(uses.includes('table:sessions') ? [] : partitions.sessions),
  ].filter((partition) => !uses.includes('table:sign-in') || !opensToSignIn.includes(partition));
  if (!uses.some((use) => use.startsWith('table:'))) return [];
  const actions = ['dynamodb:BatchWriteItem', ...changes];
  const withoutRemoval = actions.filter((action) => action !== removal);
  return [
    ...denyWithin(forbidden, actions, tableArn),
    ...denyWithin(endsTokens ? partitions.tokens : [], withoutRemoval, tableArn),
  ];
}

/**
 * A condition on partitions that are absent would hold for `ForAllValues` and deny nothing for `ForAnyValue`. Every call
 * of lib/table names its partitions.
 */
function deniedWithoutKey(uses: readonly Use[], tableArn: string): PolicyStatement[] {
  if (!uses.some((use) => use.startsWith('table:'))) return [];
  const actions = ['dynamodb:BatchGetItem', 'dynamodb:BatchWriteItem', 'dynamodb:ConditionCheckItem', 'dynamodb:Query'];
  return deny([...actions, ...changes], [tableArn], { Null: { 'dynamodb:LeadingKeys': 'true' } });
}

/** A look-up of one object names no prefix, and S3 asks for the same right to answer 404 for it. */
function bucketAccess(
  uses: readonly Use[],
  bucketArn: string,
  allowed: Actions<'files'>,
  prefix: string,
): PolicyStatement[] {
  const conditions = { StringLikeIfExists: { 's3:prefix': `${prefix}*` } };
  return actionsOf(uses, allowed).flatMap((action) =>
    allow([action], [bucketArn], action === 's3:ListBucket' ? conditions : {}),
  );
}

/**
 * SES may have verified the address, its domain or a parent domain. The identity may have a default configuration set,
 * as those from the console do. SES then requires a permission on that set, too, and the operator chose its name.
 */
function mailAccess({ mail }: Settings): PolicyStatement[] {
  if (!mail) return [];
  const ses = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}`;
  const identities = identitiesOf(mail.from).map((name) => `${ses}:identity/${name}`);
  return allow(['ses:SendEmail'], [...identities, `${ses}:configuration-set/*`], {
    StringEquals: { 'ses:FromAddress': mail.from },
  });
}

/** `a@mail.example.com` may be verified by its own name, as `mail.example.com` or as `example.com`. */
function identitiesOf(address: string): string[] {
  const labels = address.slice(address.indexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))];
}

const clientSecretAccess = (identity: Identity | undefined): PolicyStatement[] =>
  allow(['secretsmanager:GetSecretValue'], [identity?.issuer.secretArn ?? []].flat());

/** The user pool mails its invitations itself; for another issuer the service does. */
const invitationAccess = (identity: Identity | undefined, settings: Settings): PolicyStatement[] =>
  identity?.userPool ? allow(['cognito-idp:AdminCreateUser'], [identity.userPool.userPoolArn]) : mailAccess(settings);

const modelKeyAccess = ({ modelServer }: Settings): PolicyStatement[] => [
  ...allow(['secretsmanager:GetSecretValue'], [modelServer?.keySecretArn ?? []].flat()),
  ...allow(['kms:Decrypt'], [modelServer?.kmsKeyArn ?? []].flat()),
];

import { Aws } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Use } from '#lib/http/endpoint.ts';
import {
  accessPartitions,
  keyUsePartitions,
  mailPartitions,
  mediaPartitions,
  publicMediaPartitions,
  ratePartitions,
  sessionPartitions,
  signInPartitions,
  tokenPartitions,
  uploadPartitions,
  workspacePartitions,
} from '#lib/table/partitions.ts';
import type { Identity } from './identity.ts';
import { modelAccess } from './model-access.ts';
import type { Settings } from './settings.ts';

/** The resources to which functions may get access. */
export interface Resources {
  readonly tableArn: string;
  readonly bucketArn: string;
  readonly identity?: Identity | undefined;
  readonly settings: Pick<
    Settings,
    'mailFrom' | 'aiModel' | 'bedrockModels' | 'bedrockGuardrailArn' | 'openaiKeySecretArn' | 'openaiKeyKmsKeyArn'
  >;
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

/** Uses that may change and remove items of a few partitions only. */
const ownPartitions: Readonly<Partial<Record<Use, readonly string[]>>> = {
  'table:uploads': uploadPartitions,
  'table:mail': mailPartitions,
  'table:rate': ratePartitions,
  'table:record-key-use': keyUsePartitions,
  'table:media': mediaPartitions,
  'table:tokens': tokenPartitions,
  'table:sessions': sessionPartitions,
  'table:sign-in': signInPartitions,
};

const changes = ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];

/**
 * The calls of lib/files. HeadObject needs GetObject. The steps of a multipart upload need PutObject, except its abort.
 */
const fileActions: Actions<'files'> = {
  'files:read': ['s3:GetObject'],
  'files:remove': ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject'],
  'files:write': ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject'],
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
    ...uses.flatMap((use) => changesIn(ownPartitions[use], tableArn)),
    ...(uses.includes('table:media-read') ? [publicMediaReads(tableArn)] : []),
    ...denied(uses, tableArn),
    ...deniedReads(uses, tableArn),
    ...allow(actionsOf(uses, fileActions), [`${bucketArn}/workspaces/*`]),
    ...(uses.includes('files:media-read') ? allow(['s3:GetObject'], [`${bucketArn}/workspaces/*/media/*`]) : []),
    ...allow(actionsOf(uses, bucketActions), [bucketArn]),
    ...(uses.includes('mail:send') ? mailAccess(settings) : []),
    ...(uses.includes('identity:sign-in') ? clientSecretAccess(identity) : []),
    ...(uses.includes('identity:invite') ? invitationAccess(identity, settings) : []),
    ...(uses.includes('model:invoke') ? [...modelAccess(settings), ...modelKeyAccess(settings)] : []),
  ];
}

export const allow = (actions: readonly string[], resources: readonly string[]): PolicyStatement[] =>
  actions.length === 0 || resources.length === 0
    ? []
    : [new PolicyStatement({ actions: [...actions], resources: [...resources] })];

const actionsOf = (uses: readonly Use[], actions: { readonly [Name in Use]?: readonly string[] }): string[] =>
  [...new Set(uses.flatMap((use) => actions[use] ?? []))].sort();

function changesIn(partitions: readonly string[] | undefined, tableArn: string): PolicyStatement[] {
  if (!partitions) return [];
  const conditions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] } };
  return [new PolicyStatement({ actions: changes, resources: [tableArn], conditions })];
}

/** A public function can read only public images, for any path of a request. */
const publicMediaReads = (tableArn: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['dynamodb:BatchGetItem'],
    resources: [tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...publicMediaPartitions] } },
  });

/** A sign-in may write in these partitions only to those of `signInPartitions`. */
const opensToSignIn: readonly string[] = ['ACCESS#*', 'ADDRESS#*'];

/** A function without sessions cannot even read them. */
function deniedReads(uses: readonly Use[], tableArn: string): PolicyStatement[] {
  const reads = ['table:read', 'table:media-read'] as const;
  if (uses.includes('table:session') || !reads.some((use) => uses.includes(use))) return [];
  const actions = ['dynamodb:BatchGetItem', 'dynamodb:Query'];
  const conditions = { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [...sessionPartitions] } };
  return [new PolicyStatement({ effect: Effect.DENY, actions, resources: [tableArn], conditions })];
}

/** Prevents the function from creating API keys or tokens and from extending permissions, even if its code tries. */
function denied(uses: readonly Use[], tableArn: string): PolicyStatement[] {
  const partitions = [
    ...(uses.includes('table:access') ? [] : accessPartitions),
    ...(uses.includes('table:tokens') ? [] : tokenPartitions),
    ...(uses.includes('table:workspace') ? [] : workspacePartitions),
    ...(uses.includes('table:sessions') ? [] : sessionPartitions),
  ].filter((partition) => !uses.includes('table:sign-in') || !opensToSignIn.includes(partition));
  if (partitions.length === 0 || !uses.some((use) => use.startsWith('table:'))) return [];
  const actions = ['dynamodb:BatchWriteItem', ...changes];
  const conditions = { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': partitions } };
  return [new PolicyStatement({ effect: Effect.DENY, actions, resources: [tableArn], conditions })];
}

/**
 * SES may have verified the address, its domain or a parent domain. The identity may have a default configuration set,
 * as those from the console do. SES then requires a permission on that set, too, and the operator chose its name.
 */
function mailAccess({ mailFrom }: Resources['settings']): PolicyStatement[] {
  if (mailFrom === undefined) return [];
  const ses = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}`;
  const send = new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [...identitiesOf(mailFrom).map((name) => `${ses}:identity/${name}`), `${ses}:configuration-set/*`],
    conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
  });
  return [send];
}

/** `a@mail.example.com` may be verified by its own name, as `mail.example.com` or as `example.com`. */
function identitiesOf(address: string): string[] {
  const labels = address.slice(address.indexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))];
}

const clientSecretAccess = (identity: Identity | undefined): PolicyStatement[] =>
  allow(['secretsmanager:GetSecretValue'], [identity?.issuer.secretArn ?? []].flat());

/** The user pool mails its invitations itself; for another issuer the service does. */
const invitationAccess = (identity: Identity | undefined, settings: Resources['settings']): PolicyStatement[] =>
  identity?.userPool ? allow(['cognito-idp:AdminCreateUser'], [identity.userPool.userPoolArn]) : mailAccess(settings);

const modelKeyAccess = ({ openaiKeySecretArn, openaiKeyKmsKeyArn }: Resources['settings']): PolicyStatement[] => [
  ...(openaiKeySecretArn === undefined ? [] : allow(['secretsmanager:GetSecretValue'], [openaiKeySecretArn])),
  ...(openaiKeyKmsKeyArn === undefined ? [] : allow(['kms:Decrypt'], [openaiKeyKmsKeyArn])),
];

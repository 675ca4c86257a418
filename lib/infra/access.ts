import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Use } from '#lib/http/endpoint.ts';
import { modelArns } from './model-arns.ts';
import type { Settings } from './settings.ts';

/** What functions may be given access to. */
export interface Resources {
  readonly tableArn: string;
  readonly bucketArn: string;
  readonly settings: Pick<Settings, 'mailFrom' | 'aiModel' | 'openaiKeySecretArn'>;
}

type UseOf<Kind extends string> = Extract<Use, `${Kind}:${string}`>;
type Actions<Kind extends string> = Readonly<Record<UseOf<Kind>, readonly string[]>>;

/** The calls that lib/table makes for each use, and no others. A transaction needs the actions of its parts. */
const tableActions: Actions<'table'> = {
  'table:read': ['dynamodb:BatchGetItem', 'dynamodb:Query'],
  'table:update': ['dynamodb:UpdateItem'],
  'table:rewrite': ['dynamodb:BatchWriteItem', 'dynamodb:PutItem'],
  'table:transact': ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  'table:remove': ['dynamodb:DeleteItem'],
};

/** The calls of lib/files; a HeadObject is a GetObject, the steps of a multipart upload but its abort a PutObject. */
const fileActions: Actions<'files'> = {
  'files:read': ['s3:GetObject'],
  'files:write': ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject'],
};

/** Without `s3:ListBucket`, S3 answers 403 instead of 404 for an object that is not there. */
const bucketActions: Actions<'files'> = {
  'files:read': ['s3:ListBucket'],
  'files:write': ['s3:ListBucket', 's3:ListBucketMultipartUploads'],
};

/** The statements that a declaration's `uses` stand for. */
export function accessFor(uses: readonly Use[], resources: Resources): PolicyStatement[] {
  return [
    ...allow(actionsOf(uses, tableActions), [resources.tableArn]),
    ...allow(actionsOf(uses, fileActions), [`${resources.bucketArn}/workspaces/*`]),
    ...allow(actionsOf(uses, bucketActions), [resources.bucketArn]),
    ...(uses.includes('mail:send') ? mailAccess(resources.settings) : []),
    ...(uses.includes('model:invoke') ? modelAccess(resources.settings) : []),
  ];
}

export const allow = (actions: readonly string[], resources: readonly string[]): PolicyStatement[] =>
  actions.length === 0 || resources.length === 0
    ? []
    : [new PolicyStatement({ actions: [...actions], resources: [...resources] })];

const actionsOf = (uses: readonly Use[], actions: { readonly [Name in Use]?: readonly string[] }): string[] =>
  [...new Set(uses.flatMap((use) => actions[use] ?? []))].sort();

/** SES knows the address itself, or its domain. */
function mailAccess({ mailFrom }: Resources['settings']): PolicyStatement[] {
  if (mailFrom === undefined) return [];
  const domain = mailFrom.slice(mailFrom.indexOf('@') + 1);
  const identity = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity`;
  const send = new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [`${identity}/${mailFrom}`, `${identity}/${domain}`],
    conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
  });
  return [send];
}

const modelAccess = ({ aiModel, openaiKeySecretArn }: Resources['settings']): PolicyStatement[] => [
  ...allow(['bedrock:InvokeModelWithResponseStream'], modelArns(aiModel)),
  ...(openaiKeySecretArn === undefined ? [] : allow(['secretsmanager:GetSecretValue'], [openaiKeySecretArn])),
];

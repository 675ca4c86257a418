import { Aws, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { Settings } from './settings.ts';

// The remaining findings of the rule packs, with their reasons. Each is acknowledged at its construct, never for the
// whole stack, so that the rules still check new resources.

const lostCallReason = 'A lost call needs no queue: the next one does what it left undone.';
const listStreamsReason = 'ListStreams takes no resource; reading is allowed for the stream of this table alone.';
const tracingReason = 'X-Ray takes no resource in a policy; the two actions write traces and read nothing.';

/** Reasons by what they are about, each by the name of the finding. */
const reasons = {
  route: {
    'AwsSolutions::AwsSolutions-APIG4':
      'Functions check the API key themselves, in the read that tells workspace and permissions.',
  },
  synchronousFunction: {
    'Serverless::Serverless-LambdaDLQ':
      'The function is called synchronously only: a failure is answered to the caller and never queued.',
  },
  backgroundFunction: {
    'Serverless::Serverless-LambdaDLQ':
      'The schedule finds all work in the table: what a call has left undone, the next one does.',
  },
  function: {
    'Serverless::Serverless-LambdaTracing':
      'The setting tracing switches it on; it needs a right on all resources and is paid for by the trace.',
  },
  bucket: {
    'AwsSolutions::AwsSolutions-S1':
      'Access logs would keep signed links with their signatures; functions log every request without them.',
  },
  userPool: {
    'AwsSolutions::AwsSolutions-COG2':
      'The setting secondFactor asks for a second factor, and so can the issuer of the setting issuer.',
    'AwsSolutions::AwsSolutions-COG8': 'The plan has a price for each person; nobody but invited members can sign in.',
    'cdk-preflight::pf-cognito-schema-standard-attr-datatype':
      'The construct leaves the type of the address out, and Cognito gives it the one that it must have.',
  },
  OriginSecret: {
    'AwsSolutions::AwsSolutions-SMG4':
      'A rotation needs a deployment of the distribution (lib/infra/operate.md); every request needs a key as well.',
  },
  SigningSecret: {
    'AwsSolutions::AwsSolutions-SMG4':
      'It never leaves the stack, so the operator alone rotates it, after a leak (lib/infra/operate.md).',
  },
  schedule: {
    'Serverless::Serverless-EventBusDLQ': lostCallReason,
  },
  asyncInvoke: {
    'Serverless::Serverless-LambdaAsyncFailureDestination': lostCallReason,
  },
  newItems: {
    'Serverless::Serverless-LambdaEventSourceMappingDestination': lostCallReason,
  },
  listStreams: {
    'AwsSolutions::AwsSolutions-IAM5[Resource::*]': listStreamsReason,
    'Serverless::Serverless-LambdaStarPermissions': listStreamsReason,
  },
  fileAccess: {
    'AwsSolutions::AwsSolutions-IAM5[Resource::<WorkspaceBucket.Arn>/workspaces/*]':
      'The names of files are made at run time; all of them lie under this prefix, and nothing else does.',
    'AwsSolutions::AwsSolutions-IAM5[Resource::<WorkspaceBucket.Arn>/workspaces/*/media/*]':
      'The ids of public images are made at run time; nothing but public images has such a key.',
    'AwsSolutions::AwsSolutions-IAM5[Resource::<WorkspaceBucket.Arn>/history/*]':
      'The names are made at run time; nothing but large states of records lies under this prefix.',
  },
  tracing: {
    'AwsSolutions::AwsSolutions-IAM5[Resource::*]': tracingReason,
    'Serverless::Serverless-LambdaStarPermissions': tracingReason,
  },
  alarmTopic: {
    'Serverless::Serverless-SNSRedrivePolicy': 'A late mail about an alarm is of no use.',
  },
  publicEndpoint: {
    'Annotation::@aws-cdk/aws-lambda:webFunctionPublicEndpoint':
      'The function checks every request itself: that it came through the distribution, and its API key.',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export function acknowledge(construct: IConstruct, about: keyof typeof reasons): void {
  for (const [id, reason] of Object.entries(reasons[about])) give(construct, [id], reason);
}

const give = (construct: IConstruct, ids: readonly string[], reason: string): void =>
  Validations.of(construct).acknowledge(...ids.map((id) => ({ id, reason })));

export function acknowledgeDistribution(
  distribution: IConstruct,
  { domain, webAclArn }: Pick<Settings, 'domain' | 'webAclArn'>,
): void {
  const rule = (name: string, reason: string) => give(distribution, [`AwsSolutions::AwsSolutions-${name}`], reason);
  const logs =
    'Its logs hold query strings, in which keys travel; API Gateway and functions log requests without them.';
  rule('CFR1', 'Restaurants serve guests from every country.');
  rule('CFR3', logs);
  if (webAclArn === undefined) rule('CFR2', 'A firewall has a monthly price; the setting webAclArn attaches one.');
  const certificate = 'The certificate of cloudfront.net allows no other policy; with a domain the minimum is TLS 1.2.';
  if (!domain) rule('CFR4', certificate);
}

export const acknowledgeMailAccess = (role: IConstruct): void =>
  acknowledgeWildcard(
    role,
    'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:configuration-set/*',
    'The operator chooses the default configuration set of the sender; mail is sent from this address alone.',
  );

/** @param arn of a model, with an asterisk in place of its region or its id */
export const acknowledgeModelAccess = (role: IConstruct, arn: string): void =>
  acknowledgeWildcard(
    role,
    arn.replace(Aws.PARTITION, '<AWS::Partition>'),
    'Bedrock picks the region, and an application profile the model; they can be called through that profile alone.',
  );

const acknowledgeWildcard = (role: IConstruct, resource: string, reason: string): void =>
  give(role, [`AwsSolutions::AwsSolutions-IAM5[Resource::${resource}]`], reason);

/** @param policies names of policies that AWS manages */
export const acknowledgeBackupRole = (role: IConstruct, policies: readonly string[]): void =>
  give(
    role,
    policies.map((name) => `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`),
    'AWS Backup changes what it needs with its own releases, and documents these policies as the way to allow it.',
  );

/** The resources that CDK adds for a web function. They copy its code to a bucket that Lambda reads. */
export function acknowledgeCodeCopy(stack: IConstruct): void {
  const isCdks = ({ node }: IConstruct) => /^(?:AWSCDKWebFunctionAssetBucket|Custom::S3ObjectCopy)/.test(node.id);
  const managedPolicy = 'Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';
  const assets = 'Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*';
  const bucket = 'Resource::<AWSCDKWebFunctionAssetBucket5B596593.Arn>/web-function/*';
  const wildcards = ['Action::s3:Abort*', 'Action::s3:DeleteObject*', assets, bucket];
  const ids = [
    'AwsSolutions::AwsSolutions-S1',
    `AwsSolutions::AwsSolutions-IAM4[${managedPolicy}]`,
    ...wildcards.map((finding) => `AwsSolutions::AwsSolutions-IAM5[${finding}]`),
    'Serverless::Serverless-LambdaDLQ',
    'Serverless::Serverless-LambdaDefaultMemorySize',
    'Serverless::Serverless-LambdaTracing',
  ];
  const reason = 'It is a part of CDK that runs while the stack is deployed, and touches nothing but code.';
  for (const construct of stack.node.children.filter(isCdks)) give(construct, ids, reason);
}

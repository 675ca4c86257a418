import { Aws, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

// Every finding of the rule packs that stays, with the reason why. Each is acknowledged where it arises, never for the
// whole stack, so that the rules keep watching over whatever is added.

const acknowledge = (construct: IConstruct, reasons: Readonly<Record<string, string>>): void =>
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));

export const acknowledgeRoute = (route: IConstruct): void =>
  acknowledge(route, {
    'AwsSolutions::AwsSolutions-APIG4':
      'Functions check the API key themselves, in the read that tells workspace and permissions; 404 is for everyone.',
  });

export const acknowledgeSynchronousFunction = (lambda: IConstruct): void =>
  acknowledge(lambda, {
    'Serverless::Serverless-LambdaDLQ':
      'The function is only ever called synchronously: a failure is answered to the caller and never queued.',
  });

export const acknowledgeStartedFunction = (lambda: IConstruct): void =>
  acknowledge(lambda, {
    'Serverless::Serverless-LambdaDLQ':
      'Failed batches of the stream go to the queue of the event source; a failed sweep is made up for by the next.',
  });

export const acknowledgeFunction = (lambda: IConstruct): void =>
  acknowledge(lambda, {
    'Serverless::Serverless-LambdaTracing':
      'Tracing needs permissions on all resources, and the request log tells the time and cost of every request.',
  });

export const acknowledgeDeadLetters = (queue: IConstruct): void =>
  acknowledge(queue, {
    'AwsSolutions::AwsSolutions-SQS3': 'This is the queue of dead letters itself; an alarm watches over it.',
    'Serverless::Serverless-SQSRedrivePolicy': 'This is the queue of dead letters itself; an alarm watches over it.',
  });

export const acknowledgeBucket = (bucket: IConstruct): void =>
  acknowledge(bucket, {
    'AwsSolutions::AwsSolutions-S1':
      'Access logs would keep signed links with their signatures; functions log who read and wrote which file.',
  });

export const acknowledgeOriginSecret = (secret: IConstruct): void =>
  acknowledge(secret, {
    'AwsSolutions::AwsSolutions-SMG4':
      'It opens no data, since every request needs a key as well; a new value comes with a new distribution setting.',
  });

export function acknowledgeDistribution(distribution: IConstruct, hasCertificate: boolean): void {
  acknowledge(distribution, {
    'AwsSolutions::AwsSolutions-CFR1': 'Restaurants serve guests from every country; there is nobody to keep out.',
    'AwsSolutions::AwsSolutions-CFR2':
      'Callers are servers with keys; a firewall is a monthly price that they may add.',
    'AwsSolutions::AwsSolutions-CFR3':
      'Its logs hold query strings, in which keys travel; API Gateway and every function log requests without them.',
  });
  if (!hasCertificate) {
    acknowledge(distribution, {
      'AwsSolutions::AwsSolutions-CFR4':
        'The certificate of cloudfront.net allows no other policy; with domainName the minimum is TLS 1.2.',
    });
  }
}

export const acknowledgeSchedule = (rule: IConstruct): void =>
  acknowledge(rule, {
    'Serverless::Serverless-EventBusDLQ':
      'A call that is lost needs no keeping: the next one does what it left undone.',
  });

export const acknowledgeListStreams = (role: IConstruct): void =>
  acknowledge(role, {
    'AwsSolutions::AwsSolutions-IAM5[Resource::*]': listStreamsReason,
    'Serverless::Serverless-LambdaStarPermissions': listStreamsReason,
  });

const listStreamsReason = 'Streams can be listed only all together; reading is allowed for this one alone.';

export const acknowledgeFileAccess = (role: IConstruct): void =>
  acknowledge(role, {
    'AwsSolutions::AwsSolutions-IAM5[Resource::<WorkspaceBucket.Arn>/workspaces/*]':
      'Files have names that nobody knows before; those of the function lie under this prefix, and nothing else does.',
  });

/** @param arn of a model, with an asterisk in place of its region */
export const acknowledgeModelAccess = (role: IConstruct, arn: string): void =>
  acknowledge(role, {
    [`AwsSolutions::AwsSolutions-IAM5[Resource::${arn.replace(Aws.PARTITION, '<AWS::Partition>')}]`]:
      'An inference profile leads to the model in regions that Bedrock picks; it is this one model in all of them.',
  });

export const acknowledgeAlarmTopic = (topic: IConstruct): void =>
  acknowledge(topic, {
    'Serverless::Serverless-SNSRedrivePolicy': 'A mail about an alarm that cannot be delivered is of no use later.',
  });

/** What CDK itself puts beside a web function, to copy its code to a bucket from which Lambda reads it. */
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
  const reasons = Object.fromEntries(ids.map((id) => [id, reason]));
  for (const construct of stack.node.children.filter(isCdks)) acknowledge(construct, reasons);
}

export const acknowledgePublicEndpoint = (endpoint: IConstruct): void =>
  acknowledge(endpoint, {
    'Annotation::@aws-cdk/aws-lambda:webFunctionPublicEndpoint':
      'The function checks every request itself: that it came through the distribution, and its API key.',
  });

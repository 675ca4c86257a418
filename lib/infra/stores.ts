import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { historyDaysDefault, historyPrefix } from '#lib/domain/files/history-file.ts';
import { tableSchema } from '#lib/table/schema.ts';
import { acknowledge } from './acknowledgements.ts';
import type { Settings } from './settings.ts';

/** The one table of all workspaces: the only resource of the stack that cannot be recreated. */
export class WorkspaceTable extends TableV2 {
  constructor(
    scope: Construct,
    id: string,
    { removalPolicy, deletionProtection }: Pick<Settings, 'removalPolicy' | 'deletionProtection'>,
  ) {
    super(scope, id, {
      partitionKey: { name: tableSchema.partitionKey, type: AttributeType.STRING },
      sortKey: { name: tableSchema.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: tableSchema.timeToLive,
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // A replica in another region demands this view; a change of it would later end the stream under its readers.
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      // A protected table cannot be removed by the rollback of a failed first deployment, which would then fail itself.
      deletionProtection,
      removalPolicy,
    });
    // A resource with another logical id is another, empty table, so that the id may not follow the construct's path.
    (this.node.defaultChild as CfnGlobalTable).overrideLogicalId('WorkspaceTable');
  }
}

/** The files of all workspaces. Nothing is public: they are read through the service, and written by signed links. */
export class WorkspaceBucket extends Bucket {
  constructor(
    scope: Construct,
    id: string,
    { removalPolicy, historyDays = historyDaysDefault }: Pick<Settings, 'removalPolicy' | 'historyDays'>,
  ) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // Deleted files can be restored for as long as the table can. Trial stacks keep no versions, so that they are
      // easy to delete.
      versioned: removalPolicy !== RemovalPolicy.DESTROY,
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(35),
          expiredObjectDeleteMarker: true,
        },
        // Also those whose change was not stored. Nothing finds them later, so they leave nothing.
        {
          prefix: historyPrefix,
          expiration: Duration.days(Math.max(1, historyDays)),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
      // Browsers send files to signed links from any page; the link alone is the right to do so.
      cors: [
        {
          allowedMethods: [HttpMethods.PUT],
          allowedOrigins: ['*'],
          allowedHeaders: ['*'],
          exposedHeaders: ['ETag'],
          maxAge: 3600,
        },
      ],
      removalPolicy,
    });
    // A resource with another logical id is another, empty bucket, so that the id may not follow the construct's path.
    (this.node.defaultChild as CfnBucket).overrideLogicalId('WorkspaceBucket');
    acknowledge(this, 'bucket');
  }
}

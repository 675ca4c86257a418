import { Duration, RemovalPolicy } from 'aws-cdk-lib';
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
import { acknowledge } from './acknowledgements.ts';
import type { Settings } from './settings.ts';

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

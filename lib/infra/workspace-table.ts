import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { tableSchema } from '#lib/table/schema.ts';
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

import { Aws, Duration, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledgeBackupRole } from './acknowledgements.ts';
import type { WorkspaceBucket } from './workspace-bucket.ts';
import type { WorkspaceTable } from './workspace-table.ts';

export interface BackupProps {
  readonly table: WorkspaceTable;
  readonly bucket: WorkspaceBucket;
  /** The number of days that each copy is kept. */
  readonly days: number;
}

/** The policies that let AWS Backup copy and restore tables and buckets. */
const policies = [
  'service-role/AWSBackupServiceRolePolicyForBackup',
  'service-role/AWSBackupServiceRolePolicyForRestores',
  'AWSBackupServiceRolePolicyForS3Backup',
  'AWSBackupServiceRolePolicyForS3Restore',
];

/** Copies all data every night, and keeps the copies longer than point-in-time recovery does. */
export class Backup extends Construct {
  constructor(scope: Construct, id: string, { table, bucket, days }: BackupProps) {
    super(scope, id);
    const vault = new BackupVault(this, 'Vault', {
      backupVaultName: uniqueVaultName(),
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const plan = new BackupPlan(this, 'Plan', { backupPlanName: Stack.of(this).stackName, backupVault: vault });
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'Nightly',
        scheduleExpression: Schedule.cron({ hour: '2', minute: '30' }),
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(12),
        deleteAfter: Duration.days(days),
      }),
    );
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
    });
    acknowledgeBackupRole(role, policies);
    const resources = [table.tableArn, bucket.bucketArn].map((arn) => BackupResource.fromArn(arn));
    plan.addSelection('Data', { resources, role, disableDefaultBackupPolicy: true });
  }
}

/**
 * The name contains the id of the stack, so that a deleted stack's vault does not block the next one. A vault name has
 * at most 50 characters, so it does not contain the stack's name.
 */
const uniqueVaultName = (): string => Fn.join('-', ['workspaces', Fn.select(2, Fn.split('/', Aws.STACK_ID))]);

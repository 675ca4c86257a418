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
  /** For how many days each copy is kept. */
  readonly days: number;
}

/** The policies by which AWS Backup copies, and restores, tables and buckets. */
const policies = [
  'service-role/AWSBackupServiceRolePolicyForBackup',
  'service-role/AWSBackupServiceRolePolicyForRestores',
  'AWSBackupServiceRolePolicyForS3Backup',
  'AWSBackupServiceRolePolicyForS3Restore',
];

/** Copies all data every night, for longer than point-in-time recovery reaches back. */
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
 * A name with the id of the stack, so that the retained vault of a deleted stack does not block the next one. A vault
 * has at most 50 characters in its name, which leaves no room for that of the stack.
 */
const uniqueVaultName = (): string => Fn.join('-', ['workspaces', Fn.select(2, Fn.split('/', Aws.STACK_ID))]);

import { Aws, Duration, Fn, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledgeBackupRole } from './acknowledgements.ts';
import type { AlarmPlan } from './monitored.ts';
import type { WorkspaceBucket, WorkspaceTable } from './stores.ts';

export interface BackupProps {
  readonly table: WorkspaceTable;
  readonly bucket: WorkspaceBucket;
  /** The number of days that each copy is kept. */
  readonly days: number;
  /** The vault that gets a copy of each copy. */
  readonly copyVaultArn: string | undefined;
}

/** The policies that let AWS Backup copy and restore tables and buckets. */
const policies = [
  'service-role/AWSBackupServiceRolePolicyForBackup',
  'service-role/AWSBackupServiceRolePolicyForRestores',
  'AWSBackupServiceRolePolicyForS3Backup',
  'AWSBackupServiceRolePolicyForS3Restore',
];

/**
 * Copies all data every night, and keeps the copies longer than point-in-time recovery does.
 * @returns the name of the vault
 */
export function backUp(stack: Stack, { table, bucket, days, copyVaultArn }: BackupProps): string {
  const scope = new Construct(stack, 'Backup');
  const deleteAfter = Duration.days(days);
  const backupVault = new BackupVault(scope, 'Vault', {
    backupVaultName: uniqueVaultName(),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  const plan = new BackupPlan(scope, 'Plan', { backupPlanName: stack.stackName, backupVault });
  const copyVault = copyVaultArn && BackupVault.fromBackupVaultArn(scope, 'CopyVault', copyVaultArn);
  plan.addRule(
    new BackupPlanRule({
      ruleName: 'Nightly',
      scheduleExpression: Schedule.cron({ hour: '2', minute: '30' }),
      startWindow: Duration.hours(1),
      completionWindow: Duration.hours(12),
      deleteAfter,
      ...(copyVault && { copyActions: [{ destinationBackupVault: copyVault, deleteAfter }] }),
    }),
  );
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  });
  acknowledgeBackupRole(role, policies);
  const resources = [table.tableArn, bucket.bucketArn].map((arn) => BackupResource.fromArn(arn));
  plan.addSelection('Data', { resources, role, disableDefaultBackupPolicy: true });
  return backupVault.backupVaultName;
}

/**
 * The name contains the id of the stack, so that a deleted stack's vault does not block the next one. A vault name has
 * at most 50 characters, so it does not contain the stack's name.
 */
const uniqueVaultName = (): string => Fn.join('-', ['workspaces', Fn.select(2, Fn.split('/', Aws.STACK_ID))]);

/** Without these, nobody would notice a missing copy before it is needed. */
export function backupAlarms(vault: string | undefined): Readonly<Record<string, AlarmPlan>> {
  if (vault === undefined) return {};
  const jobsOf = (jobs: string, period: Duration): Metric =>
    new Metric({
      namespace: 'AWS/Backup',
      metricName: `NumberOf${jobs}`,
      statistic: 'Sum',
      period,
      dimensionsMap: { BackupVaultName: vault },
    });
  const readReason =
    'Read the reason in the console of AWS Backup, under Jobs. Correct it, and start the job there again.';
  return {
    BackupsFailing: {
      impact:
        'A nightly copy of the table or of the bucket has failed: a loss now could cost the changes since the last.',
      advice: readReason,
      metric: jobsOf('BackupJobsFailed', Duration.hours(1)),
    },
    BackupCopiesFailing: {
      impact: 'A nightly copy has not reached the vault of the other region or account: a lost region could cost more.',
      advice: readReason,
      metric: jobsOf('CopyJobsFailed', Duration.hours(1)),
    },
    BackupsMissing: {
      impact: 'For two nights there was no copy of the table or of the bucket: nothing newer could be restored.',
      advice:
        'See in the console of AWS Backup whether its plan still names both. After a first deployment the alarm ends by itself.',
      metric: jobsOf('BackupJobsCompleted', Duration.days(1)),
      // One of the table, and one of the bucket.
      threshold: 2,
      periods: 2,
      isHeartbeat: true,
    },
  };
}

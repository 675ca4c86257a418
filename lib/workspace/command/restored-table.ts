import {
  type BackupSummary,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListBackupsCommand,
  type ListBackupsCommandInput,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  type StreamViewType,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { Failure } from '#lib/domain/failure.ts';
import { pauseForAWhile, type TableProperties } from './deployed-stack.ts';

/** What a table says while an earlier change of it is not complete. */
const unsettled = new Set([
  'ContinuousBackupsUnavailableException',
  'LimitExceededException',
  'ResourceInUseException',
  'TableInUseException',
]);

const absencesMax = 5;
/** A table that was restored has its backups after some minutes. */
const unsettledMillisecondsMax = 600_000;

/** A table that is being brought back. */
export class RestoredTable {
  readonly name: string;
  readonly #client = new DynamoDBClient({ maxAttempts: 10 });

  constructor(name: string) {
    this.name = name;
  }

  async exists(): Promise<boolean> {
    return (await this.#describe()) !== undefined;
  }

  /** The ARN of its stream. */
  async streamArn(): Promise<string | undefined> {
    const table = await this.#describe();
    return table?.StreamSpecification?.StreamEnabled ? table.LatestStreamArn : undefined;
  }

  /** The newest backup, which a table of this name may have left behind. @throws Failure if there is none */
  async newestBackup() {
    const input: ListBackupsCommandInput = { TableName: this.name, BackupType: 'ALL' };
    let newest: BackupSummary | undefined;
    do {
      const page = await this.#client.send(new ListBackupsCommand(input));
      for (const found of page.BackupSummaries ?? []) {
        const isNewer = Number(found.BackupCreationDateTime) > Number(newest?.BackupCreationDateTime ?? 0);
        if (found.BackupStatus === 'AVAILABLE' && isNewer) newest = found;
      }
      input.ExclusiveStartBackupArn = page.LastEvaluatedBackupArn;
    } while (input.ExclusiveStartBackupArn !== undefined);
    if (newest?.BackupArn) return { arn: newest.BackupArn, takenAt: newest.BackupCreationDateTime?.toISOString() };
    throw new Failure(
      `DynamoDB has no backup of ${this.name}. With the setting backupDays, AWS Backup has copies: restore one to ` +
        'this name with "aws backup start-restore-job", then run this command again.',
    );
  }

  async restoreFrom(BackupArn: string): Promise<void> {
    await this.#client.send(new RestoreTableFromBackupCommand({ BackupArn, TargetTableName: this.name }));
  }

  /** @throws Failure if the table cannot be copied as it was at this time */
  async requireRestorable(at: string): Promise<void> {
    const earliestAndLatest = await this.#recovery();
    if (!earliestAndLatest) throw new Failure(`The table ${this.name} has no point-in-time recovery.`);
    const [earliest = '', latest = ''] = earliestAndLatest.map((time) => time?.toISOString());
    if (at < earliest || at > latest) {
      throw new Failure(`${this.name} can be restored to a time from ${earliest} to ${latest}, not ${at}.`);
    }
  }

  /** The first and the last time that the table can be restored to; undefined if it cannot. */
  async #recovery(): Promise<[Date | undefined, Date | undefined] | undefined> {
    const { ContinuousBackupsDescription } = await this.#client.send(
      new DescribeContinuousBackupsCommand({ TableName: this.name }),
    );
    const found = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    if (found?.PointInTimeRecoveryStatus !== 'ENABLED') return undefined;
    return [found.EarliestRestorableDateTime, found.LatestRestorableDateTime];
  }

  /** Copies another table as it was. */
  async restoreTo(SourceTableName: string, at: string): Promise<void> {
    const input = { SourceTableName, TargetTableName: this.name, RestoreDateTime: new Date(at) };
    await this.#client.send(new RestoreTableToPointInTimeCommand(input));
  }

  async isReady(): Promise<boolean> {
    return (await this.#describe())?.TableStatus === 'ACTIVE';
  }

  /** Waits until the table can be used, which a restore takes from minutes to hours for. @throws if it is gone */
  async ready(): Promise<void> {
    for (let absences = 0; ; ) {
      const table = await this.#describe();
      if (table?.TableStatus === 'ACTIVE') return;
      // AWS may not know a new table at first. One that is being deleted is there a while longer.
      if (!table && ++absences > absencesMax) throw new Failure(`There is no table ${this.name}.`);
      await pauseForAWhile();
    }
  }

  /** The steps for what the stack switches on, and a restore leaves off. A template has these properties for it. */
  switches({ StreamSpecification, TimeToLiveSpecification, Replicas: [replica] = [] }: TableProperties) {
    const TableName = this.name;
    const StreamViewType = StreamSpecification?.StreamViewType as StreamViewType;
    const { AttributeName = '', Enabled = false } = TimeToLiveSpecification ?? {};
    const { PointInTimeRecoverySpecification, DeletionProtectionEnabled } = replica ?? {};
    const switches = [
      Enabled && {
        title: `Let ${TableName} delete items by their ${AttributeName}`,
        isOn: async () => {
          const { TimeToLiveDescription } = await this.#client.send(new DescribeTimeToLiveCommand({ TableName }));
          return ['ENABLED', 'ENABLING'].includes(TimeToLiveDescription?.TimeToLiveStatus ?? '');
        },
        change: new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName, Enabled } }),
      },
      PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled && {
        title: `Switch on point-in-time recovery of ${TableName}`,
        isOn: async () => (await this.#recovery()) !== undefined,
        change: new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }),
      },
      DeletionProtectionEnabled && {
        title: `Protect ${TableName} from deletion`,
        isOn: async () => (await this.#describe())?.DeletionProtectionEnabled === true,
        change: new UpdateTableCommand({ TableName, DeletionProtectionEnabled }),
      },
      StreamSpecification && {
        title: `Open a stream of the changes of ${TableName}`,
        isOn: async () => (await this.streamArn()) !== undefined,
        change: new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: true, StreamViewType } }),
      },
    ];
    return switches
      .filter((found) => typeof found === 'object')
      .map(({ title, isOn, change }) => {
        // Nothing is known of a table that is not there yet.
        const isDone = async () => (await this.exists()) && (await isOn());
        return { title, isDone, run: () => this.#settled(() => this.#client.send(change as UpdateTableCommand)) };
      });
  }

  /** Repeats a change of the table while an earlier one is not complete. */
  async #settled(change: () => Promise<unknown>): Promise<void> {
    for (const until = Date.now() + unsettledMillisecondsMax; ; ) {
      try {
        await change();
        return await this.ready();
      } catch (error) {
        if (!unsettled.has((error as Error).name) || Date.now() > until) throw error;
      }
      await pauseForAWhile();
    }
  }

  /** @returns undefined if there is no such table */
  async #describe(): Promise<TableDescription | undefined> {
    try {
      return (await this.#client.send(new DescribeTableCommand({ TableName: this.name }))).Table;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }
}

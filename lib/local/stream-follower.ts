import { setTimeout as pause } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorInput,
  ListStreamsCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDbAccess } from './dynamodb.ts';

const recordsPerReadMax = 100;
/** How soon the next read follows one that brought something, and one after many that brought nothing. */
const busyMilliseconds = 50;
const idleMillisecondsMax = 1_000;

export type TakeRecords = (records: readonly StreamRecord[]) => Promise<void>;

/** Where a shard is read on: at the iterator, or, when that is lost, behind the last record taken. */
interface Position {
  iterator: string | undefined;
  after?: string;
}

/** Follows the changes of a table in the embedded engine from now on, as Lambda's event source does on AWS. */
export class StreamFollower {
  readonly #client: DynamoDBStreamsClient;
  readonly #streamArn: string;
  readonly #take: TakeRecords;
  readonly #positions = new Map<string, Position>();
  readonly #known = new Set<string>();
  readonly #stopping = new AbortController();
  /** The embedded engine gives records their time in whole minutes. */
  readonly #began = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  #ended: Promise<void> = Promise.resolve();
  #isFailing = false;

  private constructor(client: DynamoDBStreamsClient, streamArn: string, take: TakeRecords) {
    this.#client = client;
    this.#streamArn = streamArn;
    this.#take = take;
  }

  /**
   * @param take is handed what has changed, in order; the next changes wait until it is done
   * @returns when whatever changes from now on will be seen
   */
  static async start(access: DynamoDbAccess, tableName: string, take: TakeRecords): Promise<StreamFollower> {
    const { endpoint, region, accessKeyId, secretAccessKey } = access;
    const client = new DynamoDBStreamsClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
    const { Streams: [stream] = [] } = await client.send(new ListStreamsCommand({ TableName: tableName }));
    if (!stream?.StreamArn) throw new Error(`The table ${tableName} has no stream.`);
    const follower = new StreamFollower(client, stream.StreamArn, take);
    await follower.#findShards('LATEST');
    follower.#ended = follower.#follow();
    return follower;
  }

  /** Lets a hand-over that is under way end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
    this.#client.destroy();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    for (let wait = busyMilliseconds; !signal.aborted; ) {
      wait = (await this.#readAll()) ? busyMilliseconds : Math.min(idleMillisecondsMax, wait * 1.5);
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns whether there was anything; the engine may fail for a while, and is asked again */
  async #readAll(): Promise<boolean> {
    let count = 0;
    try {
      for (const [shard, position] of this.#positions) count += await this.#read(shard, position);
      this.#isFailing = false;
    } catch (error) {
      if (this.#stopping.signal.aborted) return false;
      if (!this.#isFailing) console.error('The changes of the table cannot be read; trying on.', error);
      this.#isFailing = true;
      for (const position of this.#positions.values()) position.iterator = undefined;
    }
    return count > 0;
  }

  async #read(shard: string, position: Position): Promise<number> {
    const iterator = position.iterator ?? (await this.#iterator(shard, position.after));
    const { Records = [], NextShardIterator } = await this.#client.send(
      new GetRecordsCommand({ ShardIterator: iterator, Limit: recordsPerReadMax }),
      { abortSignal: this.#stopping.signal },
    );
    const fresh = Records.filter(
      ({ dynamodb }) => (dynamodb?.ApproximateCreationDateTime ?? this.#began) >= this.#began,
    );
    if (fresh.length > 0) await this.#take(fresh);
    position.after = Records.at(-1)?.dynamodb?.SequenceNumber ?? position.after;
    position.iterator = NextShardIterator;
    if (NextShardIterator === undefined) {
      this.#positions.delete(shard);
      await this.#findShards('TRIM_HORIZON');
    }
    return Records.length;
  }

  /** A shard ends after some hours, and others follow it; those are read from their beginning. */
  async #findShards(from: 'LATEST' | 'TRIM_HORIZON'): Promise<void> {
    const { StreamDescription } = await this.#client.send(new DescribeStreamCommand({ StreamArn: this.#streamArn }));
    for (const { ShardId = '', SequenceNumberRange } of StreamDescription?.Shards ?? []) {
      if (this.#known.has(ShardId)) continue;
      this.#known.add(ShardId);
      const isOver = from === 'LATEST' && SequenceNumberRange?.EndingSequenceNumber !== undefined;
      if (!isOver) this.#positions.set(ShardId, { iterator: await this.#iterator(ShardId, undefined, from) });
    }
  }

  /**
   * Behind the last record taken, or, when there is none or it is a day old and gone, at the oldest; what is minutes
   * older than this follower is passed over then.
   */
  async #iterator(ShardId: string, after?: string, from: 'LATEST' | 'TRIM_HORIZON' = 'TRIM_HORIZON'): Promise<string> {
    const ask = async (place: Pick<GetShardIteratorInput, 'ShardIteratorType' | 'SequenceNumber'>) => {
      const command = new GetShardIteratorCommand({ StreamArn: this.#streamArn, ShardId, ...place });
      const { ShardIterator = '' } = await this.#client.send(command, { abortSignal: this.#stopping.signal });
      return ShardIterator;
    };
    if (after === undefined) return ask({ ShardIteratorType: from });
    return ask({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }).catch((error) => {
      if (error.name !== 'TrimmedDataAccessException') throw error;
      return ask({ ShardIteratorType: 'TRIM_HORIZON' });
    });
  }
}

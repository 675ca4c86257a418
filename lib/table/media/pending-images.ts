import { imageKey, timeOfImage } from '#lib/domain/files/public-image.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Item, Key } from '../schema.ts';
import type { Table } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';

/** Images that are unconfirmed for a day are removed (lib/spec/additions.md section 2). */
const unconfirmedMillisecondsMax = 24 * 60 * 60_000;
/** The maximum time for bytes to arrive at an upload address. */
const arrivalMilliseconds = 20 * 60_000;

/** Announced images are spread over a few partitions, like attachments. */
export const imageShards = [0, 1, 2, 3] as const;

/** An image that is not public, but may have an object in the bucket. */
export interface PendingImage {
  readonly workspaceId: string;
  readonly id: string;
  /** The bytes that were announced. */
  readonly size: number;
  /** Whether it was given up, so that it can no longer become public. */
  readonly givenUp: boolean;
  /** The time at which its object is removed, in ISO format. */
  readonly removedAt: string;
  readonly key: Key;
}

/** The key of an announced image. @returns undefined for an id that this service did not make */
export function pendingImageKey(workspaceId: string, id: string): Key | undefined {
  const createdAt = timeOfImage(id);
  return createdAt === undefined ? undefined : keyAt(workspaceId, id, createdAt + unconfirmedMillisecondsMax);
}

function keyAt(workspaceId: string, id: string, removedAt: number): Key {
  const shard = id.charCodeAt(id.length - 1) % imageShards.length;
  return keys.pendingImage(shard, new Date(removedAt).toISOString(), workspaceId, id);
}

/**
 * @param removedNow the time at which the image was removed; its object is removed later, because bytes may still
 * arrive
 */
export function pendingItem(
  { workspaceId, id, size }: Pick<PendingImage, 'workspaceId' | 'id' | 'size'>,
  removedNow?: number,
): Item {
  const createdAt = timeOfImage(id) ?? 0;
  const key =
    removedNow === undefined
      ? keyAt(workspaceId, id, createdAt + unconfirmedMillisecondsMax)
      : keyAt(workspaceId, id, Math.max(removedNow, createdAt + arrivalMilliseconds));
  return { ...key, workspaceId, id, size };
}

export function pendingIn(item: Item): PendingImage {
  const [removedAt = ''] = item.sk.split('#', 1);
  const { pk, sk, workspaceId, id, size, givenUp } = item;
  return {
    workspaceId: String(workspaceId),
    id: String(id),
    size: Number(size),
    givenUp: givenUp === true,
    removedAt,
    key: { pk, sk },
  };
}

export const objectOf = ({ workspaceId, id }: PendingImage): string => imageKey(workspaceId, id);

/** The announced or removed images of all workspaces, for the sweep. */
export class PendingImages {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The images of a shard, in the order of their removal. */
  async *list(shard: number): AsyncGenerator<PendingImage> {
    for await (const item of this.#table.query({ pk: keys.pendingImages(shard) })) yield pendingIn(item);
  }

  /** Gives the image up, so that it can no longer become public. @returns false if it is public or removed */
  async giveUp({ key, givenUp }: PendingImage): Promise<boolean> {
    if (givenUp) return true;
    try {
      await this.#table.update(key, {
        UpdateExpression: 'SET givenUp = :true',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':true': true },
      });
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  /** Call this after removing its object from the bucket. */
  forget({ key }: PendingImage): Promise<void> {
    return repeatTransaction(this.#table, { image: { Delete: { Key: key } } });
  }
}

import { type PublicImage, timeOfImage } from '#lib/domain/files/public-image.ts';
import { dueKey } from '../due/keys.ts';
import { isNew } from '../dynamodb/conditions.ts';
import { ConditionFailed } from '../errors.ts';
import { keys } from '../keys.ts';
import { type Item, type Key, Repository, recordOf, type TransactItem, type Writes } from '../table.ts';
import { repeatTransaction } from '../writer/repeat-write.ts';

/** Images that are unconfirmed for a day are removed (lib/spec/additions.md section 2). */
const unconfirmedMillisecondsMax = 24 * 60 * 60_000;
/** The maximum time for bytes to arrive at an upload address. */
const arrivalMilliseconds = 20 * 60_000;

/**
 * An image that is not public, but may have an object in the bucket: due work at the time at which the object is
 * removed.
 */
export interface PendingImage extends Key {
  readonly workspaceId: string;
  readonly id: string;
  /** The bytes that were announced. */
  readonly size: number;
  /** Whether it was given up, so that it can no longer become public. */
  readonly givenUp?: true;
}

/** The key of an announced image. @returns undefined for an id that this service did not make */
function pendingImageKey(workspaceId: string, id: string): Key | undefined {
  const createdAt = timeOfImage(id);
  return createdAt === undefined ? undefined : keyAt(workspaceId, id, createdAt + unconfirmedMillisecondsMax);
}

const keyAt = (group: string, id: string, dueAt: number): Key => dueKey({ type: 'image', group, id, dueAt });

/**
 * @param removedNow the time at which the image was removed; its object is removed later, because bytes may still
 * arrive
 */
function pendingItem(
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

/** The public images of one workspace. Access patterns P1, D1; media-download reads that of any. */
export class Images extends Repository {
  async find(id: string): Promise<PublicImage | undefined> {
    if (timeOfImage(id) === undefined) return undefined;
    const item = await this.table.get(keys.publicImage(id));
    return item?.['workspaceId'] === this.workspaceId ? recordOf<PublicImage>(item) : undefined;
  }

  /** An announced image that can still become public. */
  async findPending(id: string): Promise<PendingImage | undefined> {
    const key = pendingImageKey(this.workspaceId, id);
    const item = key && (await this.table.get(key));
    const pending = item as (Item & PendingImage) | undefined;
    return pending?.givenUp ? undefined : pending;
  }

  /**
   * Announces an image before its first byte is written, so that the sweep finds unconfirmed images. It is a transaction,
   * which is carried out once: a late try would announce a public image again, and the sweep would remove its object.
   * @param idempotency the first write of the transaction
   * @throws ConditionFailed of `idempotency`, Unavailable
   */
  announce(pending: Pick<PendingImage, 'id' | 'size'>, idempotency?: TransactItem): Promise<void> {
    const Item = pendingItem({ ...pending, workspaceId: this.workspaceId });
    return repeatTransaction(this.table, { idempotency, announcement: { Put: { Item } } });
  }

  /**
   * Makes an announced image public.
   * @param additionalWrites further writes of the transaction
   * @throws ConditionFailed if the image was given up or a condition in `additionalWrites` fails
   */
  async publish(image: PublicImage, additionalWrites: Writes): Promise<void> {
    const Item = {
      ...keys.publicImage(image.id),
      workspaceId: this.workspaceId,
      record: JSON.stringify(image),
    };
    try {
      await repeatTransaction(this.table, {
        ...additionalWrites,
        image: { Put: { Item, ...isNew } },
        announcement: {
          Delete: {
            Key: this.#pendingKey(image.id),
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(givenUp)',
          },
        },
      });
    } catch (error) {
      // Another call may have made it public.
      const isOwn = error instanceof ConditionFailed && ['image', 'announcement'].includes(error.write ?? '');
      if (!isOwn || !(await new Images(this.table.uncached(), this).find(image.id))) throw error;
    } finally {
      this.table.clearCache();
    }
  }

  /**
   * Removes an image. The sweep removes its object later, so that a failure leaves none behind.
   * @param additionalWrites further writes of the transaction
   * @throws ConditionFailed if the image no longer exists
   */
  async remove({ id, size }: PublicImage, additionalWrites: Writes, now: number): Promise<void> {
    const Item = { ...pendingItem({ id, size, workspaceId: this.workspaceId }, now), givenUp: true };
    await repeatTransaction(this.table, {
      image: { Delete: { Key: keys.publicImage(id), ConditionExpression: 'attribute_exists(pk)' } },
      leftover: { Put: { Item } },
      ...additionalWrites,
    });
  }

  #pendingKey(id: string) {
    const key = pendingImageKey(this.workspaceId, id);
    if (!key) throw new Error('An image is announced under an id that is made here.');
    return key;
  }
}

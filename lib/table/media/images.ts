import { type PublicImage, timeOfImage } from '#lib/domain/files/public-image.ts';
import { dueKey } from '../due/keys.ts';
import { isNew, isStored } from '../dynamodb/conditions.ts';
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

/** @param removedAt the time at which a public image was removed; bytes may still arrive */
function pendingKey(workspaceId: string, id: string, removedAt?: number): Key {
  const createdAt = timeOfImage(id) ?? 0;
  const end = removedAt === undefined ? createdAt + unconfirmedMillisecondsMax : createdAt + arrivalMilliseconds;
  return dueKey({ type: 'image', group: workspaceId, id, dueAt: Math.max(end, removedAt ?? 0) });
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
    if (timeOfImage(id) === undefined) return undefined;
    const pending = (await this.table.get(pendingKey(this.workspaceId, id))) as (Item & PendingImage) | undefined;
    return pending?.givenUp ? undefined : pending;
  }

  /**
   * Announces an image before its first byte is written, so that the sweep finds unconfirmed images. It is a transaction,
   * which is carried out once: a late try would announce a public image again, and the sweep would remove its object.
   * @param idempotency the first write of the transaction
   * @throws ConditionFailed of `idempotency`, Unavailable
   */
  announce(pending: Pick<PendingImage, 'id' | 'size'>, idempotency?: TransactItem): Promise<void> {
    const Item = { ...pendingKey(this.workspaceId, pending.id), ...pending, workspaceId: this.workspaceId };
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
            Key: pendingKey(this.workspaceId, image.id),
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
    const { workspaceId } = this;
    const Item = { ...pendingKey(workspaceId, id, now), workspaceId, id, size, givenUp: true };
    await repeatTransaction(this.table, {
      image: { Delete: { Key: keys.publicImage(id), ...isStored } },
      leftover: { Put: { Item } },
      ...additionalWrites,
    });
  }
}

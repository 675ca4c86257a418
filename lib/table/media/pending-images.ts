import { timeOfImage } from '#lib/domain/files/public-image.ts';
import { dueKey } from '../due/keys.ts';
import type { Item, Key } from '../table.ts';

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
export function pendingImageKey(workspaceId: string, id: string): Key | undefined {
  const createdAt = timeOfImage(id);
  return createdAt === undefined ? undefined : keyAt(workspaceId, id, createdAt + unconfirmedMillisecondsMax);
}

const keyAt = (group: string, id: string, dueAt: number): Key => dueKey({ type: 'image', group, id, dueAt });

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

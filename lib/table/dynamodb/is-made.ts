import { ConditionFailed } from '../errors.ts';
import type { Item } from '../schema.ts';

/** @returns whether a write was made; false if its condition failed @throws all its other errors */
export async function isMade(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** @returns the item after an update; the stored one, if there is one, if its condition failed @throws its other errors */
export const itemAfter = (update: Promise<Item>): Promise<Item | undefined> =>
  update.catch((error: unknown) => {
    if (error instanceof ConditionFailed) return error.item as Item | undefined;
    throw error;
  });

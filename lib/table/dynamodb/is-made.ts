import { ConditionFailed } from '../errors.ts';

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

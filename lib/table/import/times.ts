import type { RecordKind } from '../keys.ts';

/** A record with optional time stamps in a document (lib/spec/workspace-document.md section 2). */
export interface Stamped {
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

export type TimeStampName = keyof Stamped;

/** The time stamps that the records of a kind have. */
export const timeStampsOf: Partial<Record<RecordKind | 'cmsEntry', readonly TimeStampName[]>> = {
  cmsEntry: ['createdAt', 'updatedAt'],
  menuCategory: ['createdAt', 'updatedAt'],
  menuProduct: ['createdAt', 'updatedAt'],
  conversation: ['createdAt', 'updatedAt'],
  message: ['createdAt'],
  attachment: ['createdAt'],
  formResponse: ['createdAt'],
  notification: ['createdAt'],
};

/**
 * Adds the missing time stamps of a record: those of the stored record, else the time of the import. So a second
 * import changes nothing. They become the last properties, whatever their order in the document.
 */
export function withTimes<R extends Stamped>(
  kind: RecordKind | 'cmsEntry',
  record: R,
  stored: Stamped | undefined,
  importedAt: string,
): R {
  const { createdAt, updatedAt, ...rest } = record;
  const stamps: Stamped = { createdAt, updatedAt };
  const times = (timeStampsOf[kind] ?? []).map((name) => [name, stamps[name] ?? stored?.[name] ?? importedAt] as const);
  return { ...rest, ...Object.fromEntries(times) } as unknown as R;
}

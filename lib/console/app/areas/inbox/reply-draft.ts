import { isBlank } from '#lib/domain/text/blank.ts';

/** A stored file of the reply. */
export interface AttachedFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** An unsent reply. The browser stores it as one text. */
export interface ReplyDraft {
  readonly text: string;
  readonly files: readonly AttachedFile[];
  /** The last attempt to send: its content and its idempotency key. */
  readonly attempt: { readonly content: string; readonly key: string } | null;
}

export const emptyDraft: ReplyDraft = { text: '', files: [], attempt: null };

export const filesMax = 10;
export const textMax = 20_000;

/** @param kept the result of `writtenDraft`; any other text makes an empty draft */
export function readDraft(kept: string): ReplyDraft {
  try {
    const { text, files, attempt } = JSON.parse(kept) as Partial<ReplyDraft>;
    if (typeof text !== 'string' || !Array.isArray(files)) return emptyDraft;
    return { text, files, attempt: attempt ?? null };
  } catch {
    return emptyDraft;
  }
}

/** @returns the text to keep; empty when nothing has been written */
export const writtenDraft = (draft: ReplyDraft): string => (isEmpty(draft) ? '' : JSON.stringify(draft));

export const isEmpty = ({ text, files }: ReplyDraft): boolean => text === '' && files.length === 0;

/** The service measures code points, and treats blank text as empty. */
export const canBeSent = ({ text, files }: ReplyDraft): boolean =>
  (!isBlank(text) || files.length > 0) && files.length <= filesMax && [...text].length <= textMax;

/**
 * Prepares an attempt to send. The same content keeps its idempotency key, even after a reload. So a retry after a lost
 * answer stores no duplicate. Another content gets another key.
 */
export function withAttempt(draft: ReplyDraft, newKey: () => string): ReplyDraft & { attempt: { key: string } } {
  const content = JSON.stringify([draft.text, draft.files.map(({ id }) => id)]);
  const attempt = draft.attempt?.content === content ? draft.attempt : { content, key: newKey() };
  return { ...draft, attempt };
}

import * as z from 'zod/mini';

/**
 * An entry in an answer: its id, and beside it the selected system fields and fields (lib/spec/decisions.md section 3).
 */
export const EntryView = z.looseObject({ id: z.string() });

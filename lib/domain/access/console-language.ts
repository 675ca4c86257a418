import * as z from 'zod/mini';

/** The languages of the console. */
export const ConsoleLanguage = z.enum(['en', 'ar']);

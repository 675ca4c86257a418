import * as z from 'zod/mini';
import { forbiddenNames } from './forbidden-names.ts';
import { normalized } from './normal-form.ts';

/**
 * The name of a record in a URL (lib/spec/decisions.md section 2). Marks are allowed because the vowels of many scripts
 * are written with them. Slugs are compared in NFC (lib/spec/additions.md section 9).
 */
export const Slug = z.string().check(
  z.overwrite((text) => normalized(text)),
  z.regex(
    /^[\p{L}\p{M}\p{Nd}_-]{1,100}$/u,
    'Must be 1 to 100 letters or digits of any script, hyphens or underscores.',
  ),
);

/** The key of a CMS field and the ref of a form field (lib/spec/decisions.md section 2). */
export const FieldKey = z.string().check(
  z.regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'Must be a letter followed by up to 63 letters, digits or underscores.'),
  z.refine((key) => !forbiddenNames.has(key), {
    error: 'Must not be "constructor" or "prototype".',
    params: { code: 'not_allowed' },
  }),
);

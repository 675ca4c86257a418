import * as z from 'zod/mini';
import { orNull } from '../schema-rules.ts';
import { RecordId } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';
import { hrefOf, serialised } from '../text/text-forms.ts';
import { inForm } from '../text/text-in-form.ts';

/** Two slashes would name another site, and browsers read a backslash as a slash. */
const pathPattern = /^\/(?!\/)[^\s\p{Cc}\\"<>]*$/u;

/** The address of an image in stored form: http, https, or a path on the reader's own site. It is not trimmed. */
function imageAddress(text: string): string | undefined {
  if (!pathPattern.test(text) || !text.isWellFormed()) return hrefOf(text);
  const url = URL.parse(text, 'https://own.invalid');
  const path = url ? serialised(url.pathname + url.search + url.hash) : '';
  return pathPattern.test(path) ? path : undefined;
}

const address = {
  read: imageAddress,
  message: 'Must be an http or https address, or a path such as /images/1.png.',
};

const pixels = 'Must be a whole number of pixels up to 1,000,000, or null.';
const Pixels = z.int().check(z.minimum(0, pixels), z.maximum(1_000_000, pixels));

/** An image of a product, a category or a media field (lib/spec/decisions.md section 4). */
export const Image = z.strictObject({
  id: RecordId,
  url: z.string().check(...inForm(address)),
  alt: orNull(Localized),
  width: orNull(Pixels),
  height: orNull(Pixels),
});
export type Image = z.infer<typeof Image>;

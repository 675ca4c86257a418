import * as z from 'zod/mini';
import { orNull } from '../defaults.ts';
import { RecordId } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';
import { textForms } from '../text/text-forms.ts';
import { inForm } from '../text/text-in-form.ts';

const pixels = 'Must be a whole number of pixels up to 1,000,000, or null.';
const Pixels = z.int().check(z.minimum(0, pixels), z.maximum(1_000_000, pixels));

/** An image of a product, a category or a media field (lib/spec/decisions.md section 4). */
export const Image = z.strictObject({
  id: RecordId,
  url: z.string().check(...inForm(textForms.image)),
  alt: orNull(Localized),
  width: orNull(Pixels),
  height: orNull(Pixels),
});
export type Image = z.infer<typeof Image>;

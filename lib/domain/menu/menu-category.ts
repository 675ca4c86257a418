import * as z from 'zod/mini';
import { orNull } from '../defaults.ts';
import { Image } from '../files/image.ts';
import { RecordId, Slug } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';
import { TimeStamp } from '../text/time-stamp.ts';

/**
 * A menu category as it is stored (lib/spec/interface.md section 2.3); what is counted and listed of it is not part of
 * it.
 */
export const MenuCategory = z.strictObject({
  id: RecordId,
  slug: Slug,
  name: Localized,
  description: orNull(Localized),
  thumbnail: orNull(Image),
  smallThumbnail: orNull(Image),
  showcase: orNull(Image),
  position: orNull(z.number()),
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
});
export type MenuCategory = z.infer<typeof MenuCategory>;

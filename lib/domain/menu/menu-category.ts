import * as z from 'zod/mini';
import { orNull } from '../defaults.ts';
import { Image } from '../files/image.ts';
import { RecordId } from '../text/identifier.ts';
import { Localized } from '../text/localized.ts';
import { LocalizedName } from '../text/name.ts';
import { Slug } from '../text/slug.ts';
import { TimeStamp } from '../text/time-stamp.ts';

/** A stored menu category (lib/spec/interface.md section 2.3), without its products and counts. */
export const MenuCategory = z.strictObject({
  id: RecordId,
  slug: Slug,
  name: LocalizedName,
  description: orNull(Localized),
  thumbnail: orNull(Image),
  smallThumbnail: orNull(Image),
  showcase: orNull(Image),
  position: orNull(z.number()),
  createdAt: TimeStamp,
  updatedAt: TimeStamp,
});
export type MenuCategory = z.infer<typeof MenuCategory>;

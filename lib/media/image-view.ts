import { assetBaseUrl } from '#lib/attachments/settings.ts';
import type { Image } from '#lib/domain/files/image.ts';
import { imageUrl, type PublicImage } from '#lib/domain/files/public-image.ts';

/** The image object of lib/spec/additions.md section 2, ready for media fields and menu images. */
export const imageView = ({ id, width, height }: Omit<PublicImage, 's3Key'>): Image => ({
  id,
  url: imageUrl(assetBaseUrl(), id),
  alt: null,
  width,
  height,
});

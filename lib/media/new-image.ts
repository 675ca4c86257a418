import { randomBytes } from 'node:crypto';
import { imageId } from '#lib/domain/files/public-image.ts';

/** The id of a new image, which is also its public address. */
export const newImageId = (): string => imageId(Date.now(), randomBytes(12).toString('hex'));

import * as z from 'zod/mini';
import { timedId, timeInId } from '../text/timed-id.ts';
import { Image } from './image.ts';
import { DirectUpload } from './uploaded-file.ts';

const megabyte = 1_048_576;

/** The size of the largest public image: 10 MB (lib/spec/additions.md section 2). */
export const imageBytesMax = 10 * megabyte;

/** A public image as it is kept: what it is, never how it is used. */
export interface PublicImage {
  readonly id: string;
  readonly s3Key: string;
  /** The media type of its content. */
  readonly type: string;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly createdAt: string;
}

/** @param random 24 hexadecimal digits, which also keep the address from being guessed */
export const imageId = (createdAt: number, random: string): string => timedId('img', createdAt, random);

/** When an image was announced, in milliseconds since 1970; undefined for an id that this service did not make. */
export const timeOfImage = (id: string): number | undefined => timeInId('img', id);

/** The object with the bytes of an image. No attachment has a key of this form. */
export const imageKey = (workspaceId: string, id: string): string => `workspaces/${workspaceId}/media/${id}`;

/** @param baseUrl without a slash at its end */
export const imageUrl = (baseUrl: string, id: string): string => `${baseUrl}/media/${id}`;

/** An announced image, and where to send it. */
export const AnnouncedImage = z.strictObject({ id: z.string(), url: z.string(), upload: DirectUpload });

/** The answer to an upload of an image: the image object, or for an announced one the address to send it to. */
export const UploadedImage = z.union([AnnouncedImage, Image]);

import * as z from 'zod/mini';
import { timeInId } from '../text/timed-id.ts';
import { DirectUpload } from './uploaded-file.ts';

/** The size of the largest public image: 10 MB (lib/spec/additions.md section 2). */
export const imageBytesMax = 10 * 1_048_576;

/** A stored public image. It does not depend on its uses. */
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

/** The time of the announcement in milliseconds since 1970, or undefined for an id that this service did not make. */
export const timeOfImage = (id: string): number | undefined => timeInId('img', id);

/** The object with the bytes of an image. No attachment has a key of this form. */
export const imageKey = (workspaceId: string, id: string): string => `workspaces/${workspaceId}/media/${id}`;

/** @param baseUrl without a slash at its end */
export const imageUrl = (baseUrl: string, id: string): string => `${baseUrl}/media/${id}`;

/** An announced image and the address for its upload. */
export const AnnouncedImage = z.strictObject({ id: z.string(), url: z.string(), upload: DirectUpload });

import { type FilePart, readMultipart } from '#lib/attachments/multipart.ts';
import {
  bodyTooLarge,
  fileTooLarge,
  misnamedPart,
  noFileName,
  noFiles,
  tooManyFiles,
} from '#lib/attachments/refusals.ts';
import { imageBytesMax } from '#lib/domain/files/public-image.ts';
import { eventUploadBytesMax } from '#lib/domain/files/upload-limits.ts';
import type { IncomingBody } from '#lib/http/body.ts';
import type { HttpError } from '#lib/http/errors.ts';

/** An image with its multipart framing. */
const bodyBytesMax = imageBytesMax + 1_048_576;

/**
 * The one file of a multipart body, in memory. As for attachments, even an invalid body is read to its end, because 413
 * outranks every other error.
 * @param refusal the error outside the body, if any
 * @throws 413, 400
 */
export async function receiveImage(incoming: IncomingBody, refusal: HttpError | undefined): Promise<Buffer> {
  const bytesMax = incoming.isWhole ? eventUploadBytesMax : bodyBytesMax;
  const tooLarge = () => (incoming.isWhole ? bodyTooLarge(true) : fileTooLarge(imageBytesMax));
  if ((incoming.length ?? 0) > bytesMax) throw tooLarge();
  const part = new ImagePart(refusal);
  const { isTooLarge, fault, hasNamelessFile } = await readMultipart(incoming, bytesMax, (file) => part.take(file));
  const refused = [
    part.isTooLarge && fileTooLarge(imageBytesMax),
    isTooLarge && tooLarge(),
    part.refusal,
    fault,
    part.count === 0 && (hasNamelessFile ? noFileName() : noFiles(1)),
  ].find(Boolean);
  if (refused) throw refused;
  return part.bytes();
}

/** Keeps the bytes of the first file, and only measures others. */
class ImagePart {
  count = 0;
  isTooLarge = false;
  refusal: HttpError | undefined;
  #chunks: Uint8Array[] = [];

  constructor(refusal: HttpError | undefined) {
    this.refusal = refusal;
  }

  bytes = (): Buffer => Buffer.concat(this.#chunks);

  async take(part: FilePart): Promise<void> {
    let size = 0;
    try {
      for await (const chunk of part.bytes) {
        if (size === 0) this.#start(part);
        size += chunk.length;
        if (size > imageBytesMax) this.isTooLarge = true;
        if (this.isTooLarge || this.refusal) this.#chunks = [];
        else this.#chunks.push(chunk);
      }
    } catch {
      // The body ended in the middle of the file. The reader reports that.
      return;
    }
    // A form with an empty file field sends a file without name and bytes.
    if (size === 0 && part.sentName !== '') this.#start(part);
  }

  #start({ fieldName }: FilePart): void {
    if (fieldName !== 'files') this.refusal ??= misnamedPart(fieldName);
    else if (++this.count > 1) this.refusal ??= tooManyFiles(1);
  }
}

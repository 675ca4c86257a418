import * as z from 'zod/mini';
import { type Issue, parseWith } from '#lib/domain/input.ts';
import { parseJsonBody, requireJson, withBodyPath } from '#lib/http/body.ts';
import { badRequest, invalidBody, validationFailed } from '#lib/http/errors.ts';
import type { IncomingBody } from '#lib/http/receiving-api.ts';
import { BodyBytes } from './body-bytes.ts';
import { fileTooLarge, jsonBytesMax, jsonTooLarge, noneAnnounced, tooManyFiles } from './refusals.ts';
import type { UploadRequest } from './upload-request.ts';

export interface FileAnnouncement {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

function announcedFiles(bytesMax: number): z.ZodMiniType<{ readonly files: readonly FileAnnouncement[] }> {
  const message = `Must be a number of bytes from 0 to ${bytesMax} (${bytesMax / 1_048_576} MB).`;
  const size = z.int(message).check(z.minimum(0, message));
  return z.strictObject({ files: z.array(z.strictObject({ name: z.string(), type: z.string(), size })) });
}

/**
 * Reads the announcement of direct uploads.
 * @throws 415, 413 file_too_large before any 400, then invalid_body, no_files, too_many_files, validation_failed
 */
export async function readAnnouncedFiles(
  { incoming, requestIssues }: Pick<UploadRequest, 'incoming' | 'requestIssues'>,
  filesMax: number,
  bytesMax: number,
): Promise<readonly FileAnnouncement[]> {
  requireJson(incoming.contentType, incoming.contentEncoding);
  const parsed = parseJsonBody(await readBytes(incoming));
  if ('issue' in parsed) throw badRequest([...requestIssues, invalidBody(parsed.issue)]);
  if (filesIn(parsed.json).some((file) => sizeOf(file) > bytesMax)) throw fileTooLarge(bytesMax);
  const { value, issues: found = [] } = parseWith(announcedFiles(bytesMax), parsed.json);
  const issues = found.map(withBodyPath);
  if (requestIssues.length > 0 || issues.some(isAboutShape)) {
    const refusals = issues.map((issue) => (isAboutShape(issue) ? invalidBody : validationFailed)(issue));
    throw badRequest([...requestIssues, ...refusals]);
  }
  const count = filesIn(parsed.json).length;
  if (count === 0) throw noneAnnounced(filesMax);
  if (count > filesMax) throw tooManyFiles(filesMax);
  if (!value) throw badRequest(issues.map(validationFailed));
  return value.files;
}

/** @throws 413, 400 */
async function readBytes({ bytes, length = 0 }: IncomingBody): Promise<Buffer> {
  if (length > jsonBytesMax) throw jsonTooLarge();
  const chunks: Uint8Array[] = [];
  const body = new BodyBytes(bytes, jsonBytesMax);
  const isWhole = await body.readAll((chunk) => void chunks.push(chunk));
  if (body.isTooLarge) throw jsonTooLarge();
  if (isWhole) return Buffer.concat(chunks);
  throw badRequest([invalidBody({ path: '', code: 'syntax', message: 'The body ended before it was complete.' })]);
}

/** Whether an issue concerns the body or its properties, not an item of `files`. */
const isAboutShape = ({ path }: Issue): boolean => !path.startsWith('files.');

function filesIn(json: unknown): readonly unknown[] {
  const files: unknown = (json as { readonly files?: unknown } | null)?.files;
  return Array.isArray(files) ? files : [];
}

const sizeOf = (file: unknown): number => Number((file as { readonly size?: unknown } | null)?.size ?? 0);

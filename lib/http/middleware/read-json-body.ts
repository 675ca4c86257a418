import { essenceOf } from '#lib/domain/files/media-type.ts';
import type { Endpoint } from '../endpoint.ts';
import { HttpError, invalidBody, unsupportedMediaType } from '../errors.ts';
import { parseJsonBody } from '../json-body.ts';
import type { ApiEvent } from '../request-state.ts';

const kilobyte = 1_024;
const bodyBytesMaxDefault = kilobyte * kilobyte;

/**
 * Reads the body if the route declares one: media type, size, JSON (lib/spec/decisions.md section 1). Issues of the
 * JSON are added to those of the request.
 * @throws 415, 413
 */
export const readJsonBody = ({
  body,
  bodyBytesMax = bodyBytesMaxDefault,
}: Pick<Endpoint, 'body' | 'bodyBytesMax'>) => ({
  before: ({ event }: { event: ApiEvent }) => {
    if (!body) return;
    requireJson(event.headers);
    const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    if (bytes.length > bodyBytesMax) throw tooLarge(bodyBytesMax);
    const parsed = parseJsonBody(bytes);
    if ('issue' in parsed) event.state.requestIssues.push(invalidBody(parsed.issue));
    else event.state.json = parsed.json;
  },
});

function tooLarge(bytesMax: number): HttpError {
  const kilobytes = bytesMax / kilobyte;
  const size = kilobytes < kilobyte ? `${kilobytes} KB` : `${kilobytes / kilobyte} MB`;
  return new HttpError(413, 'body_too_large', `A JSON body may have at most ${size} here.`);
}

function requireJson(headers: ApiEvent['headers']): void {
  if (headers['content-encoding']) throw unsupportedMediaType('Send the body without Content-Encoding.');
  const mediaType = essenceOf(headers['content-type']);
  if (mediaType !== 'application/json' && !/^[^/\s]+\/[^/\s]+\+json$/.test(mediaType)) {
    throw unsupportedMediaType('Send the body as application/json.');
  }
}

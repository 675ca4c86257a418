import type { IssueCode } from '#lib/domain/input.ts';
import { HttpError } from '#lib/http/errors.ts';

export const jsonBytesMax = 1_048_576;

const refused = (code: string, path: string, issueCode: IssueCode, message: string): HttpError =>
  new HttpError(400, code, message, { errors: [{ path, code: issueCode, message }] });

/** RFC 2046, 5.1.1 */
export const boundaryLengthMax = 70;
export const partsMax = 1_000;

const faults = {
  parameters: 'The parameters of the Content-Type are malformed.',
  noBoundary: 'The Content-Type has no boundary; send multipart/form-data; boundary=...',
  longBoundary: `The boundary in the Content-Type may have at most ${boundaryLengthMax} characters.`,
  delimiter: 'A boundary of the multipart body is not at the end of its line, or is inside the header of a part.',
  header: 'The header of a part of the multipart body is malformed.',
  disposition: 'The Content-Disposition of a part is malformed.',
  parts: `A multipart body may have at most ${partsMax} parts.`,
  end: 'The multipart body ends before its last boundary.',
  cut: 'The body ended before it was complete.',
} as const;

export const malformedMultipart = (fault: keyof typeof faults): HttpError =>
  refused('malformed_multipart', '', 'syntax', faults[fault]);

/** @param max how many files a request may have */
export const noFiles = (max: number): HttpError =>
  refused(
    'no_files',
    'files',
    'required',
    max === 1 ? 'Send one file, in a part named files.' : `Send 1 to ${max} files, in parts named files.`,
  );

export const noFileName = (): HttpError =>
  refused(
    'no_files',
    'files',
    'required',
    'The part named files has no file name; add filename="..." to its Content-Disposition.',
  );

/** The same for an announcement, which has no parts. */
export const noneAnnounced = (max: number): HttpError =>
  refused('no_files', 'files', 'required', max === 1 ? 'Announce one file.' : `Announce 1 to ${max} files.`);

export const tooManyFiles = (max: number): HttpError =>
  refused('too_many_files', 'files', 'max_items', `Send at most ${max} ${max === 1 ? 'file' : 'files'} in a request.`);

export const misnamedPart = (name: string): HttpError =>
  refused('invalid_body', name, 'unknown_field', 'Send files in parts named files.');

export const fileTooLarge = (bytesMax: number): HttpError =>
  new HttpError(413, 'file_too_large', `A file may have at most ${bytesMax} bytes (${bytesMax / 1_048_576} MB).`);

export const jsonTooLarge = (): HttpError => new HttpError(413, 'body_too_large', 'A JSON body may have at most 1 MB.');

/** @param isEvent true for a body in a Lambda event, which has a lower limit */
export const bodyTooLarge = (isEvent: boolean): HttpError =>
  new HttpError(
    413,
    'body_too_large',
    isEvent
      ? 'A multipart body may have at most 4.4 MB here. For larger files POST { "files": [{ "name", "type", "size" }] } as application/json to this address followed by /announce, and then send each file with PUT to the upload.url of the answer.'
      : 'A multipart body may have at most 130 MB.',
  );

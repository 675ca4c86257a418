/** An error answer of S3. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly statusCode: number;
  readonly code: string;

  constructor(statusCode: number, code: string, message = code) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}

export const accessDenied = (message: string) => new S3Error(403, 'AccessDenied', message);
export const badRequest = (code: string, message: string) => new S3Error(400, code, message);
export const noSuchKey = () => new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
export const noSuchUpload = () => new S3Error(404, 'NoSuchUpload', 'The specified upload does not exist.');
export const preconditionFailed = () => new S3Error(412, 'PreconditionFailed', 'A precondition did not hold.');
export const notImplemented = () => new S3Error(501, 'NotImplemented', 'This operation is not supported.');

import { badRequest, HttpError, validationFailed } from '#lib/http/errors.ts';

const imageRule =
  'Must be a whole PNG, JPEG, GIF, WebP or AVIF image of 1 to 16,384 pixels each way, with nothing after its end.';

export const notAnImage = (): HttpError =>
  badRequest([validationFailed({ path: 'files.0', code: 'format', message: imageRule })]);

const pixelsRule = 'Must have at most 25,000,000 pixels, all frames of an animation together.';

export const tooManyPixels = (): HttpError =>
  badRequest([validationFailed({ path: 'files.0', code: 'too_large', message: pixelsRule })]);

export const notArrived = (): HttpError =>
  new HttpError(
    409,
    'conflict',
    'The file has not arrived yet. Send it to upload.url first, then repeat this request.',
  );

import { Function as CloudFrontFunction, FunctionCode, FunctionRuntime } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { bodyTooLarge } from '#lib/attachments/refusals.ts';
import { eventUploadBytesMax } from '#lib/domain/files/upload-limits.ts';

const { message, code } = bodyTooLarge(true);

/**
 * Refuses uploads that are too large for any function, with the service's own error (lib/spec/decisions.md section 6).
 */
export const uploadCeiling = (scope: Construct, id: string): CloudFrontFunction =>
  new CloudFrontFunction(scope, id, {
    comment: 'Refuse uploads that do not fit into a Lambda event.',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(uploadCeilingCode),
  });

/** Runs at CloudFront, so it cannot import other modules. */
const uploadCeilingCode = `function handler(event) {
  var length = event.request.headers['content-length'];
  if (!length || !(Number(length.value) > ${eventUploadBytesMax})) return event.request;
  return {
    statusCode: 413,
    statusDescription: 'Content Too Large',
    headers: {
      'content-type': { value: 'application/json; charset=utf-8' },
      'cache-control': { value: 'no-store' },
      'x-content-type-options': { value: 'nosniff' },
      'x-request-id': { value: event.context.requestId }
    },
    body: { encoding: 'text', data: ${JSON.stringify(JSON.stringify({ message, code }))} }
  };
}
`;

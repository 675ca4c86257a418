import { ModelError, type ModelErrorCode } from '../engine.ts';
import { codeOfStatus } from '../status-code.ts';

const codes: Readonly<Record<string, ModelErrorCode>> = {
  ThrottlingException: 'throttled',
  ServiceQuotaExceededException: 'throttled',
  ModelNotReadyException: 'throttled',
  ModelErrorException: 'unavailable',
  ModelTimeoutException: 'timeout',
  TimeoutError: 'timeout',
  AccessDeniedException: 'auth',
  ExpiredTokenException: 'auth',
  UnrecognizedClientException: 'auth',
  InvalidSignatureException: 'auth',
  CredentialsProviderError: 'auth',
  TokenProviderError: 'auth',
  ResourceNotFoundException: 'model_not_found',
  ValidationException: 'invalid',
};

/** The SDK calls a connection that breaks before the answer a timeout, too. */
const brokenCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

/** The meaning of a failure of the SDK. Only listed names are passed on: other texts may say more than a log should. */
export function bedrockFailure(error: unknown): ModelError {
  const { name = '', code, $metadata } = (error ?? {}) as Failure;
  const status = $metadata?.httpStatusCode;
  const known = Object.hasOwn(codes, name) && !brokenCodes.includes(code) ? codes[name] : undefined;
  const meaning = known ?? (status !== undefined && status >= 400 && status < 600 ? codeOfStatus(status) : undefined);
  if (meaning && (known || meaning !== 'unavailable'))
    return new ModelError(meaning, `Bedrock answered ${known ? name : status}.`);
  return new ModelError('unavailable', 'The connection to Bedrock broke, or Bedrock failed.');
}

interface Failure {
  readonly name?: string;
  /** The code of an error of Node.js. */
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

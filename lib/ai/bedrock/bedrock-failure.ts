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

/** The SDK also reports a connection that breaks before the answer as a timeout. */
const brokenCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

/** Translates an error of the SDK. Only listed names are passed on, because other texts may contain internals. */
export function bedrockFailure(error: unknown): ModelError {
  const { name = '', code, $metadata } = (error ?? {}) as Failure;
  const status = $metadata?.httpStatusCode;
  const knownCode = Object.hasOwn(codes, name) && !brokenCodes.includes(code) ? codes[name] : undefined;
  const meaning =
    knownCode ?? (status !== undefined && status >= 400 && status < 600 ? codeOfStatus(status) : undefined);
  if (meaning && (knownCode || meaning !== 'unavailable'))
    return new ModelError(meaning, `Bedrock answered ${knownCode ? name : status}.`);
  return new ModelError('unavailable', 'The connection to Bedrock broke, or Bedrock failed.');
}

interface Failure {
  readonly name?: string;
  /** The error code of Node.js. */
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

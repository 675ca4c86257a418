import { ModelError, type ModelErrorCode } from '../engine.ts';

const codes: Readonly<Record<string, ModelErrorCode>> = {
  ThrottlingException: 'throttled',
  ServiceQuotaExceededException: 'throttled',
  ModelNotReadyException: 'throttled',
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

/** What a failure of the SDK stands for. Only names that we know are told; the texts may say more than a log should. */
export function bedrockFailure(error: unknown): ModelError {
  const { name, $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const code = (name !== undefined && Object.hasOwn(codes, name) ? codes[name] : undefined) ?? codeOfStatus(status);
  if (code) return new ModelError(code, `Bedrock answered ${codes[name ?? ''] ? name : status}.`);
  return new ModelError('unavailable', 'The connection to Bedrock broke, or Bedrock failed.');
}

function codeOfStatus(status: number | undefined): ModelErrorCode | undefined {
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'model_not_found';
  if (status === 408 || status === 504) return 'timeout';
  return status !== undefined && status >= 400 && status < 500 ? 'invalid' : undefined;
}

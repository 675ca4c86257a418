import type { ModelErrorCode } from './engine.ts';

/** Translates an HTTP status of a model's server. */
export function codeOfStatus(status: number): ModelErrorCode {
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'model_not_found';
  if (status === 408 || status === 504) return 'timeout';
  return status >= 400 && status < 500 ? 'invalid' : 'unavailable';
}

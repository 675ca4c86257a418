import type { Answer } from './call.ts';

/** The issues of a refusal, each as its path and code: `values.name required`. */
export const issuesOf = ({ json }: Pick<Answer, 'json'>): string[] =>
  json.errors.map(({ path, code }: Answer['json']) => `${path} ${code}`);

/** Equal for equal requests: all but the request id, which is new each time. */
export const withoutRequestId = ({ status, text, headers: { 'x-request-id': _, ...headers } }: Answer) => ({
  status,
  text,
  headers,
});

/** The bytes of a body on the wire, where a function hands it over as an escaped JSON string. */
export const wireBytes = (body: string): number => Buffer.byteLength(JSON.stringify(body)) - 2;

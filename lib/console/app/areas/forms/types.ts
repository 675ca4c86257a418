import type { AnsweredFile, FormResponse } from '#lib/domain/forms/form-response.ts';

/** A response with the files of its answers by ref. */
export interface ShownResponse extends FormResponse {
  readonly files: Readonly<Record<string, readonly AnsweredFile[]>>;
}

/** The filter of a list of responses: one form or all, from one time until before another. */
export interface ResponseQuery {
  readonly formId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

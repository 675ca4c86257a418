import { assetBaseUrl } from '#lib/attachments/settings.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { filesOfAnswers } from '#lib/forms/answered-files.ts';
import type { ManageRequest } from './managed-record.ts';

/** Responses with the files of their answers (lib/spec/additions.md section 2, responses). */
export const responsesWithFiles = (
  { table, principal }: Pick<ManageRequest, 'table' | 'principal'>,
  responses: readonly FormResponse[],
) => filesOfAnswers(table, principal, responses, assetBaseUrl());

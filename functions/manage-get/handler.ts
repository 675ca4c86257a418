import { readApi } from '#lib/http/read-api.ts';
import { answerRecord } from '#lib/manage/answer-record.ts';
import { sharedRules } from '#lib/manage/kind-rules.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, { handle: (request) => answerRecord({ ...request, rules: sharedRules }) });

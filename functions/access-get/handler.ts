import { keyRules, memberRules } from '#lib/access/access-rules.ts';
import { answerEvent } from '#lib/access/audit-log.ts';
import { readApi } from '#lib/http/read-api.ts';
import { answerRecord } from '#lib/manage/answer-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: (request) =>
    request.params.kind === 'audit-events'
      ? answerEvent(request, request.params.id)
      : answerRecord({ ...request, rules: { apiKey: keyRules, member: memberRules } }),
});

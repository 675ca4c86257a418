import { answerEvent } from '#lib/access/audit-log.ts';
import { keyRules } from '#lib/access/key-rules.ts';
import { memberRules } from '#lib/access/member-rules.ts';
import { readApi } from '#lib/http/read-api.ts';
import { answerRecord } from '#lib/manage/answer-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: (request) =>
    request.params.kind === 'audit-events'
      ? answerEvent(request, request.params.id)
      : answerRecord({ ...request, rules: { apiKey: keyRules, member: memberRules } }),
});

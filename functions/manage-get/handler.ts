import { readApi } from '#lib/http/read-api.ts';
import { allRules } from '#lib/manage/all-rules.ts';
import { answerRecord } from '#lib/manage/answer-record.ts';
import { answerVersion, answerVersions, historyCallOf } from '#lib/manage/record-history.ts';
import { webhookRules } from '#lib/webhooks/webhook-rules.ts';
import { endpoint } from './endpoint.ts';

const rules = { ...allRules, webhook: webhookRules };

export const handler = readApi(endpoint, {
  handle: (request) => {
    const [, part] = request.params.kind.split('/');
    if (part === 'versions') return answerVersions(historyCallOf(request));
    if (part === 'version') return answerVersion(historyCallOf(request));
    return answerRecord({ ...request, rules });
  },
});

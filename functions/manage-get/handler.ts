import { readApi } from '#lib/http/read-api.ts';
import { answerRecord } from '#lib/manage/answer-record.ts';
import { readRules as rules } from '#lib/manage/read-rules.ts';
import { answerVersion, answerVersions, historyCallOf } from '#lib/manage/record-history.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: (request) => {
    const [, part] = request.params.kind.split('/');
    if (part === 'versions') return answerVersions({ ...historyCallOf(request), rules });
    if (part === 'version') return answerVersion({ ...historyCallOf(request), rules });
    return answerRecord({ ...request, rules });
  },
});

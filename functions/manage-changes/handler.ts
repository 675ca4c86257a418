import { api } from '#lib/http/api.ts';
import { allRules } from '#lib/manage/all-rules.ts';
import { applyChanges } from '#lib/manage/changes.ts';
import { plainRules } from '#lib/manage/plain-rules.ts';
import { withRemoval } from '#lib/manage/removal-rules.ts';
import { endpoint } from './endpoint.ts';

const rules = withRemoval({ ...plainRules, ...allRules });

export const handler = api(endpoint, {
  handle: async (request) => ({
    body: { results: await applyChanges({ ...request, rules }, request.body.changes) },
  }),
});

import { api } from '#lib/http/api.ts';
import { applyChanges } from '#lib/manage/changes.ts';
import { rulesWithRemoval } from '#lib/manage/removal-rules.ts';
import { removalOf } from '#lib/table/writer/removal.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => ({
    body: { results: await applyChanges({ ...request, rules: rulesWithRemoval, removalOf }, request.body.changes) },
  }),
});

import { api } from '#lib/http/api.ts';
import { withRemoval } from '#lib/manage/removal-rules.ts';
import { schemaRules } from '#lib/manage/schema-rules.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { endpoint } from './endpoint.ts';

const rules = withRemoval(schemaRules);

export const handler = api(endpoint, {
  handle: ({ body: _, ...request }) => answerWrite({ ...request, rules }, 'delete'),
  beginsEarly: true,
});

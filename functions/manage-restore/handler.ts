import { api } from '#lib/http/api.ts';
import { historyCallOf } from '#lib/manage/record-history.ts';
import { restoreRecord } from '#lib/manage/restore-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => restoreRecord(historyCallOf(request)),
  beginsEarly: true,
});

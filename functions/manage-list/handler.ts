import { readApi } from '#lib/http/read-api.ts';
import { answerList, listIssues } from '#lib/manage/answer-list.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, { handle: answerList, findIssues: listIssues });

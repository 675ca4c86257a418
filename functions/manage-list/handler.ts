import { api } from '#lib/http/api.ts';
import { answerList, listIssues } from '#lib/manage/answer-list.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, { handle: answerList, findIssues: listIssues });

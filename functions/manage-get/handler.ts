import { api } from '#lib/http/api.ts';
import { answerRecord } from '#lib/manage/answer-record.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, { handle: answerRecord });

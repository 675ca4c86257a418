import { openTable } from '#lib/http/middleware/open-table.ts';
import { redirectApi } from '#lib/http/redirect-api.ts';
import { completeLogin } from '#lib/session/complete-login.ts';
import { failing } from '#lib/session/sign-in-failure.ts';
import { endpoint } from './endpoint.ts';

export const handler = redirectApi(endpoint, { handle: completeLogin, ...failing }, [openTable()]);

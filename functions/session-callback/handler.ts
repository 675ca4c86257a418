import { openTable } from '#lib/http/open-table.ts';
import { redirectApi } from '#lib/http/public-api.ts';
import { completeLogin } from '#lib/session/complete-login.ts';
import { failing } from '#lib/session/sign-in-failure.ts';
import { endpoint } from './endpoint.ts';

export const handler = redirectApi(endpoint, { handle: completeLogin, ...failing }, [openTable()]);

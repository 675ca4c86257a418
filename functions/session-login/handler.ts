import { redirectApi } from '#lib/http/public-api.ts';
import { beginLogin } from '#lib/session/begin-login.ts';
import { failing } from '#lib/session/sign-in-failure.ts';
import { endpoint } from './endpoint.ts';

export const handler = redirectApi(endpoint, { handle: beginLogin, ...failing });

import * as z from 'zod/mini';
import { FormView } from '#lib/domain/forms/form.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { localeParameters } from '#lib/http/locale.ts';

/** lib/spec/interface.md section 4.8; a disabled form can be read. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/public/forms/{slug}',
  summary: 'Get a form.',
  keyIn: ['query'],
  callers: ['key', 'session'],
  permissions: ['forms:form:read'],
  query: z.object(localeParameters),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: FormView,
  uses: ['table:read'],
});

import * as z from 'zod/mini';
import { FormView } from '#lib/domain/forms/form-view.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { localeParameters } from '#lib/http/query-parameters.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

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

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Forms',
  text: 'Returns a form with its fields, also if it is disabled. The `ref` of a field is the name of its answer.',
  path: { slug: 'The slug of the form.' },
  success: { description: 'The form.', headers: { 'content-language': 'common' } },
  refusals: ['form_not_found'],
  examples: [{ name: 'contact', summary: 'A form', key: 'site', path: { slug: 'contact' } }],
});

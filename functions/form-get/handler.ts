import { type FormView, formTexts, inFormOrder } from '#lib/domain/forms/form-view.ts';
import { started } from '#lib/domain/started.ts';
import { inLocale } from '#lib/domain/text/locale.ts';
import { findForm } from '#lib/forms/find-form.ts';
import { rendered } from '#lib/http/answer.ts';
import { contentLanguage, requireLocale } from '#lib/http/locale.ts';
import { readApi } from '#lib/http/read-api.ts';
import { readLanguages } from '#lib/table/workspaces.ts';
import { endpoint } from './endpoint.ts';

export const handler = readApi(endpoint, {
  handle: async ({ principal, table, params, query }) => {
    // A language that the workspace does not have is refused first.
    const finding = started(findForm(table, principal, params.slug));
    const languages = await readLanguages(table, principal);
    const locale = requireLocale(query, languages);
    const { id, slug, title, fields } = await finding;
    const shown: FormView = { id, slug, title, fields: inFormOrder(fields) };
    const json = JSON.stringify(inLocale(shown, formTexts, { languages, locale }));
    return { json: rendered(json), headers: contentLanguage(locale) };
  },
});

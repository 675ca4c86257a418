import { FormView, inFormOrder } from '#lib/domain/forms/form.ts';
import { localizedForm } from '#lib/domain/forms/localized-form.ts';
import { showingTextsIn } from '#lib/domain/text/locale.ts';
import { findForm } from '#lib/forms/find-form.ts';
import { api } from '#lib/http/api.ts';
import { contentLanguage, namesLanguages, requireLocale } from '#lib/http/locale.ts';
import { readLanguages } from '#lib/table/cms/cms-schema.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async ({ principal, table, params, query }) => {
    const finding = findForm(table, principal, params.slug);
    // A language that the workspace does not have is refused first.
    finding.catch(() => undefined);
    const locale = requireLocale(query, namesLanguages(query) ? await readLanguages(table, principal) : []);
    const form = await finding;
    const shown = { ...form, fields: inFormOrder(form.fields) };
    if (!locale) return { body: shown };
    const json = JSON.stringify(localizedForm(FormView.parse(shown), showingTextsIn(locale)));
    return { json, headers: contentLanguage(locale) };
  },
});

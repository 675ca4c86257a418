import * as z from 'zod/mini';
import { type Hit, TextIndex } from '#lib/ai/retrieval/text-index.ts';
import type { FormAnswer, Found } from '#lib/ai/tool-answers.ts';
import { firstOf } from '#lib/domain/first-of.ts';
import type { Form } from '#lib/domain/forms/form.ts';
import { formTexts, inFormOrder } from '#lib/domain/forms/form-view.ts';
import { inLocale } from '#lib/domain/text/locale.ts';
import { Forms } from '#lib/table/forms/forms.ts';
import { StoredWorkspace } from '#lib/table/stored-workspace.ts';
import type { ReaderLanguages } from '../knowledge/entry-facts.ts';
import { defineTool, name, query } from './tool.ts';

/** The maximum number of searched forms. */
const formsMax = 100;
const listedMax = 10;
const fieldsMax = 25;

export const getForm = defineTool({
  name: 'get_form',
  description:
    'Tells which fields a form has, such as one for contact or reservations; without a slug it lists the forms, those that match a query first.',
  input: z.object({ slug: name('The slug of the form.'), query: query('Words that the form may have.') }),
  run: async (input, { table, scope, languages, workspaceLanguages }) => {
    const { slug } = input;
    const forms = new StoredWorkspace(table, scope.workspaceId).records('form') as AsyncGenerator<Form>;
    const found =
      slug === undefined ? await firstOf(formsMax, forms) : [await new Forms(table, scope).findBySlug(slug)];
    const enabled = found
      .filter((form) => form?.enabled)
      .map((form) => inLocale(form as Form, formTexts, { languages: workspaceLanguages }) as Form);
    const matches = matchesOf(enabled, input.query);
    const matchOf = (form: Form): number => matches.get(form)?.match ?? 0;
    const shown = enabled.toSorted((a, b) => matchOf(b) - matchOf(a)).slice(0, listedMax);
    const results = shown.map((form) => formAnswer(form, matches.get(form), languages));
    const answer: Found<FormAnswer> = { results, total: enabled.length };
    const sources = shown.map(({ id, title }) => ({
      citation: { kind: 'form' as const, id },
      names: Object.values(title),
    }));
    return { answer, sources };
  },
});

function matchesOf(forms: readonly Form[], query: string): ReadonlyMap<Form, Hit<Form>> {
  const index = new TextIndex<Form>();
  for (const form of forms) {
    const titles = form.fields.flatMap(({ title }) => Object.values(title));
    index.add(form, {
      name: Object.values(form.title),
      texts: [{ text: form.slug, weight: 1 }, ...titles.map((text) => ({ text, weight: 0.3 }))],
    });
  }
  return new Map(index.search(query).map((hit) => [hit.document, hit]));
}

const formAnswer = ({ id, slug, title, fields }: Form, hit: Hit<Form> | undefined, languages: ReaderLanguages) => ({
  id,
  slug,
  title: languages.name(title),
  match: hit?.match ?? 0,
  named: hit?.named ?? false,
  fields: inFormOrder(fields)
    .filter(({ type }) => type !== 'HIDDEN')
    .slice(0, fieldsMax)
    .map((field) => ({
      ref: field.ref,
      title: languages.name(field.title),
      required: field.validations.required ?? false,
    })),
});

import { expect, it } from '@jest/globals';
import { ask, callTool } from '#test/support/demo-tools.ts';
import { openWorkspace } from '#test/support/workspace.ts';

/** A text that has its word in Arabic, and perhaps another in English. */
const text = (ar: string, en?: string) => ({ ar: `سري ${ar}`, ...(en !== undefined && { en }) });
const field = (key: string, type: string, more: object = {}) => ({ key, name: text('حقل', key), type, ...more });
const kitchen = await openWorkspace('records', (document) => {
  document.menu.categories.push({ id: 'cat_q', slug: 'quokka', name: text('قسم', 'Quokka things') });
  document.menu.products.push({
    id: 'prod_q',
    slug: 'quokka',
    name: text('طبق', 'Quokka plate'),
    intro: text('مقدمة'),
    description: text('وصف'),
    categoryId: 'cat_q',
    priceOptions: [{ id: 'po_1', price: 17, name: text('كبير') }],
    optionSets: [{ id: 'os_1', name: text('إضافات'), options: [{ id: 'o_1', name: text('جبن'), price: 1 }] }],
    suggestions: ['prod_q'],
  });
  const options = [{ value: 'north', label: text('شمال') }];
  document.cms = {
    models: [
      {
        id: 'branches',
        name: text('فروع', 'Branches'),
        fields: [
          field('title', 'text', { localized: true }),
          field('about', 'longText', { localized: true }),
          field('side', 'select', { options }),
          field('dish', 'relation', { relation: { to: 'menu:product', many: false } }),
          field('near', 'relation', { relation: { to: 'cms:branches', many: false } }),
        ],
      },
    ],
    entries: [
      {
        id: 'br_q',
        modelId: 'branches',
        values: {
          title: text('فرع', 'Quokka branch'),
          about: text('شرح'),
          side: 'north',
          dish: 'prod_q',
          near: 'br_ar',
        },
      },
      { id: 'br_ar', modelId: 'branches', values: { title: text('بعيد') } },
    ],
  };
  document.forms.push({
    id: 'form_q',
    slug: 'quokka',
    title: text('نموذج', 'Quokka form'),
    fields: [{ id: 'ff_1', ref: 'size', title: text('حجم'), type: 'TEXT' }],
  });
});

/** What the tools and the offline engine tell somebody whose conversation is in Arabic. */
async function told(): Promise<readonly string[]> {
  const tools = [
    ['search_menu', { query: 'quokka' }],
    ['search_menu', { query: 'سري وصف' }],
    ['get_product', { id: 'prod_q' }],
    ['list_categories', {}],
    ['search_cms', { query: 'quokka' }],
    ['search_cms', { query: 'سري شرح' }],
    ['get_form', { query: 'quokka' }],
  ] as const;
  const outputs = await Promise.all(
    tools.map(async ([name, input]) => (await callTool(kitchen, name, input, { language: 'ar' })).output),
  );
  return [...outputs, (await ask(kitchen, 'quokka plate', { language: 'ar' })).text];
}

it('a reply has no text in a language that the workspace has no more', async () => {
  const before = await told();
  expect(before.filter((output) => !output.includes('سري'))).toEqual([]);
  expect((await kitchen.manage('PATCH workspace', { languages: ['en'] })).status).toBe(200);
  const without = await told();
  expect(without.filter((output) => output.includes('سري'))).toEqual([]);
  const totals = without.slice(0, -1).map((output) => JSON.parse(output).total);
  // Nothing is found by such a text.
  expect([totals[1], totals[5]]).toEqual([0, 0]);
  expect(without[2]).toContain('Quokka plate');
  await kitchen.manage('PATCH workspace', { languages: ['en', 'ar'] });
  expect(await told()).toEqual(before);
});

import { describe, expect, it } from '@jest/globals';
import { answerText, otherAnswers } from '#lib/console/app/areas/forms/answer-text.ts';
import { csvParts, fieldsOfRefs, refsIn, startOfDay } from '#lib/console/app/areas/forms/export.ts';
import {
  blankField,
  copyOfForm,
  duplicateOf,
  numbered,
  unusedRef,
  withType,
} from '#lib/console/app/areas/forms/form-model.ts';
import { formsTexts } from '#lib/console/app/areas/forms/texts.ts';
import { Form } from '#lib/domain/forms/form.ts';
import { FormField } from '#lib/domain/forms/form-view.ts';

const fields = [
  { id: 'a', ref: 'name', title: { en: 'Name' }, type: 'TEXT', order: 7, validations: { maxLength: 5 } },
  {
    id: 'b',
    ref: 'topic',
    title: { en: 'Topic' },
    type: 'MULTI_SELECT',
    order: 9,
    validations: { required: true, minItems: 1, options: [{ value: 'x', label: { en: 'The X' } }] },
  },
].map((field) => FormField.parse(field));
const [name, topic] = fields as [FormField, FormField];

const response = {
  id: 'r',
  formId: 'f',
  createdAt: '2026-01-01T00:00:00.000Z',
  meta: { _page: '/a' },
  answers: { name: '=1+1', topic: ['x', 'gone'], age: 3, cv: ['att_1'] },
  files: { cv: [{ id: 'att_1', name: 'cv.pdf', type: 'application/pdf', url: 'https://a.example/cv' }] },
};

describe('the questions of a form', () => {
  it('are numbered by position, and a question with the right number stays the same object', () => {
    expect(numbered(fields).map(({ order }) => order)).toEqual([1, 2]);
    const once = numbered(fields);
    expect(numbered(once)[0]).toBe(once[0]);
  });

  it('are duplicated under a name of their own, apart from the original', () => {
    const copy = duplicateOf(topic, 'c', fields);
    expect(copy).toEqual({ ...topic, id: 'c', ref: 'topic2' });
    expect(copy.validations.options).not.toBe(topic.validations.options);
    expect(unusedRef('Name', fields)).toBe('name2');
    expect(Form.shape.fields.safeParse([{ ...blankField('d', fields), title: { en: 'D' } }]).success).toBe(true);
  });

  it('keep the rules that another type has too', () => {
    expect(withType(topic, 'SELECT').validations).toEqual({ required: true, options: topic.validations.options });
    expect(withType(topic, 'FILE').validations).toEqual({ required: true, minItems: 1 });
    expect(withType(name, 'RADIO').validations).toEqual({ options: [] });
    for (const type of FormField.shape.type.options) {
      expect(Form.shape.fields.safeParse([withType(topic, type)]).success).toBe(true);
    }
  });

  it('are copied with their form under a free address, closed', () => {
    const form = { id: 'f', slug: 'contact', title: { en: 'Contact' }, enabled: true };
    expect(copyOfForm(form, ['contact', 'contact-2'])).toEqual({
      slug: 'contact-3',
      title: { en: 'Contact' },
      enabled: false,
    });
  });
});

describe('answers', () => {
  const words = { localized: (text: { en?: string }) => text.en ?? '', locale: 'en-US', yes: 'Yes', no: 'No' };
  const shown = (ref: string, type = 'TEXT') =>
    answerText(FormField.parse({ id: ref, ref, title: { en: ref }, type }), response, words);

  it('are shown in words, with labels of choices and names of files', () => {
    expect(answerText(topic, response, words)).toBe('The X, gone');
    expect([shown('age', 'NUMBER'), shown('cv', 'FILE'), shown('nothing')]).toEqual(['3', 'cv.pdf', '']);
    const written = { ...response, answers: { mail: 'a@xn--crme-6oa.example' } };
    const mail = FormField.parse({ id: 'm', ref: 'mail', title: { en: 'Mail' }, type: 'EMAIL' });
    expect(answerText(mail, written, words)).toBe('a@crème.example');
    expect(otherAnswers(fields, response).map(([ref]) => ref)).toEqual(['age', 'cv']);
  });

  it('become CSV whose formulas do nothing', async () => {
    const text = (await csvParts(fields, [response])).join('');
    expect(text.startsWith('\ufeff"id","createdAt","name","topic","otherAnswers","meta"\r\n')).toBe(true);
    expect(text).toContain(`"'=1+1","x; gone"`);
    expect(text).toContain('cv.pdf (application/pdf) https://a.example/cv');
  });

  it('have a column each without their form', () => {
    expect(fieldsOfRefs(refsIn([response])).map(({ ref }) => ref)).toEqual(['name', 'topic', 'age', 'cv']);
  });
});

it('a day is filtered from its beginning to the beginning of the next', () => {
  const since = startOfDay('2026-03-31');
  const until = startOfDay('2026-03-31', 1);
  expect(Date.parse(until ?? '') - Date.parse(since ?? '')).toBe(86_400_000);
  expect([new Date(since ?? '').getHours(), startOfDay(null), startOfDay('soon')]).toEqual([0, undefined, undefined]);
});

it.each(['en', 'ar'] as const)('the console names title and address of a form differently in %s', (language) => {
  const { formTitle, address } = formsTexts[language];
  expect(formTitle).not.toBe(address);
});

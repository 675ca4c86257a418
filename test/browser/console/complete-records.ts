import { everyFieldType } from './every-field-type.ts';

const image = (id: string) => ({
  id,
  url: `/images/${id}.png`,
  alt: { en: `The ${id}`, ar: 'صورة' },
  width: 640,
  height: 480,
});

const times = { createdAt: '2026-01-05T09:00:00.000Z', updatedAt: '2026-01-05T09:00:00.000Z' };

/** A record of each kind with all members set, so that a test notices a lost member. */
export const completeProduct = {
  ...times,
  slug: 'whole-product',
  barcode: '62810',
  name: { en: 'Whole product', ar: 'منتج كامل' },
  intro: { en: 'Short', ar: 'قصير' },
  description: { en: 'Long', ar: 'طويل' },
  priceOptions: [
    { id: 'po_1', price: 48, name: { en: 'Single', ar: 'فردي' }, default: true, barcode: '111' },
    { id: 'po_2', price: 72.125, name: { en: 'Family' }, default: false, barcode: null },
  ],
  thumbnail: image('thumb'),
  images: [image('one'), image('two')],
  published: true,
  soldout: true,
  soldoutUntil: '2030-01-05T09:00:00.000Z',
  preparationTime: 25.5,
  nutritionFacts: {
    servingSize: '200 g',
    calories: 410,
    protein: 30.5,
    carbohydrates: 12,
    fat: 9,
    sugar: 0,
    sodium: 560,
    allergens: ['SESAME', 'MILK'],
    dietary: ['HALAL'],
  },
  suggestions: ['prod_masoub', 'prod_that_is_gone'],
  categoryId: 'cat_breakfast',
  optionSets: [
    {
      id: 'os_1',
      name: { en: 'Spice', ar: 'توابل' },
      required: true,
      min: 1,
      max: 2,
      allowDuplicates: true,
      order: 3,
      options: [
        {
          id: 'mild',
          name: { en: 'Mild', ar: 'خفيف' },
          price: 1.5,
          default: true,
          soldout: true,
          maxQuantity: 2,
          order: 4,
        },
      ],
    },
  ],
  position: 7.5,
};

export const completeCategory = {
  ...times,
  slug: 'whole-category',
  name: { en: 'Whole category', ar: 'فئة كاملة' },
  description: { en: 'Long', ar: 'طويل' },
  thumbnail: image('thumb'),
  smallThumbnail: image('small'),
  showcase: image('showcase'),
  position: 9,
};

export const completeForm = {
  slug: 'whole-form',
  title: { en: 'Whole form', ar: 'نموذج كامل' },
  enabled: true,
  notifications: { emails: ['owner@example.com', 'desk@example.com'] },
  fields: [
    {
      id: 'ff_1',
      ref: 'name',
      title: { en: 'Name', ar: 'الاسم' },
      type: 'TEXT',
      order: 1,
      validations: {
        required: true,
        message: { en: 'Please.', ar: 'رجاء.' },
        minLength: 2,
        maxLength: 50,
        pattern: '^[a-z]+$',
      },
    },
    {
      id: 'ff_2',
      ref: 'guests',
      title: { en: 'Guests' },
      type: 'NUMBER',
      order: 2,
      validations: { min: 1, max: 9, step: 1 },
    },
    {
      id: 'ff_3',
      ref: 'days',
      title: { en: 'Days' },
      type: 'MULTI_SELECT',
      order: 3,
      validations: { options: [{ value: 'sun', label: { en: 'Sunday', ar: 'الأحد' } }], minItems: 1, maxItems: 1 },
    },
    {
      id: 'ff_4',
      ref: 'day',
      title: { en: 'Day' },
      type: 'DATE',
      order: 4,
      validations: { minDate: '2026-01-01', maxDate: '2036-01-01' },
    },
  ],
};

/** A database with a field of each type, and an entry with all values. */
export const completeModel = {
  name: { en: 'Whole things', ar: 'أشياء كاملة' },
  fields: everyFieldType.map(({ value: _, ...field }) => field),
};

export const completeEntry = {
  ...times,
  modelId: 'whole_things',
  published: true,
  values: Object.fromEntries(everyFieldType.map(({ key, value }) => [key, value])),
};

export const completeAgent = {
  name: 'Whole agent',
  enabled: false,
  model: 'offline/retrieval-1',
  instructions: 'Be\nshort.',
  language: 'ar',
  maxTokens: 300,
  temperature: 0.5,
  reasoning: true,
  tools: ['search_cms', 'hand_over'],
  databases: ['articles', 'gone'],
};

export const completeChannel = {
  type: 'website',
  identifier: 'whole.example',
  name: 'Whole channel',
  agentId: 'agent_gone',
};

export const completeCustomer = {
  externalId: 'crm-1',
  name: 'Whole customer',
  email: 'whole@example.com',
  phone: '+966500000001',
};

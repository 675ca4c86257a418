const picture = { id: 'p1', url: '/images/p1.png', alt: { en: 'A picture' }, width: 10, height: 20 };
const options = [
  { value: 'a', label: { en: 'Choice A', ar: 'الخيار أ' } },
  { value: 'b', label: { en: 'Choice B' } },
];
const field = (key: string, type: string, value: unknown, more: object = {}) => ({
  key,
  name: { en: `The ${key}`, ar: `حقل ${key}` },
  type,
  localized: false,
  required: false,
  hidden: false,
  many: false,
  ...more,
  value,
});

/** Fields of all types, each with a value. */
export const everyFieldType = [
  field('title', 'text', { en: 'Whole thing', ar: 'شيء كامل' }, { localized: true, required: true }),
  field('code', 'text', 'A-1', { indexed: false }),
  field('story', 'longText', { en: 'Once\nupon', ar: 'كان يا ما كان' }, { localized: true }),
  field('body', 'richText', { en: '## Head\n\n- **one**\n- [two](https://a.example)', ar: 'نص' }, { localized: true }),
  field('note', 'richText', '<p>Kept <b>as it is</b></p>'),
  field('rank', 'number', -2.5),
  field('isOpen', 'boolean', true),
  field('day', 'date', '2026-01-31'),
  field('moment', 'datetime', '2026-01-31T09:30:15+03:00'),
  field('email', 'email', 'noor@example.com'),
  field('link', 'url', 'https://example.com/a?b=c'),
  field('phone', 'phone', '+966500000000', { hidden: true }),
  field('choice', 'select', 'b', { options }),
  field('choices', 'multiSelect', ['b', 'a'], { options }),
  field('data', 'json', { deep: [1, { a: null }], text: 'b' }),
  field('picture', 'media', picture),
  field('pictures', 'media', [picture, { ...picture, id: 'p2', alt: null }], { many: true }),
  field('dish', 'relation', 'prod_masoub', { relation: { to: 'menu:product', many: false } }),
  field('chefs', 'relation', ['chef_sara', 'chef_gone'], { relation: { to: 'cms:chefs', many: true } }),
];

import { describe } from '@jest/globals';
import { generatedSecret } from '#lib/table/access/new-secret.ts';
import { eachChange, times } from './document-file.ts';

const secret = generatedSecret('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg');
const option = (index: number) => ({ value: `v${index}`, label: {} });
const textField = (index: number) => ({ key: `key${index}`, name: { en: `key${index}` }, type: 'text' });
const formField = (index: number) => ({
  id: `f${index}`,
  ref: `ref${index}`,
  title: { en: `ref${index}` },
  type: 'TEXT',
});

describe('a document that is accepted', () => {
  eachChange([
    ['the small one', () => undefined],
    [
      'only version and workspace',
      (d) => {
        for (const name of Object.keys(d).slice(2)) delete d[name];
      },
    ],
    ['150 fields', (d) => d.cms.models.push({ id: 'm', name: { en: 'M' }, fields: times(150, textField) })],
    [
      '10 languages',
      (d) => (d.workspace.languages = ['en', 'ar', 'en-GB', 'zh-Hant', 'es-419', 'fr', 'de', 'it', 'pt', 'nl']),
    ],
    [
      '500 options',
      (d) => d.cms.models[0].fields.push({ key: 'o', name: { en: 'O' }, type: 'select', options: times(500, option) }),
    ],
    ['100 fields of a form', (d) => (d.forms[0].fields = times(100, formField))],
    [
      '20 distinct addresses, one twice',
      (d) => (d.forms[0].notifications = { emails: [...times(20, (i) => `a${i}@b.co`), ' A0@b.co'] }),
    ],
    ['a slug in Arabic', (d) => (d.menu.products[0].slug = 'كبسة-لحم_١')],
    [
      'an id of 128 characters',
      (d) => {
        const id = 'a:b.c_d-'.repeat(16);
        d.members[0].id = id;
        d.apiKeys[0].memberId = id;
      },
    ],
    [
      'a field key that every object has',
      (d) => {
        d.cms.models[0].fields.push({ key: 'toString', name: { en: 'ToString' }, type: 'text' });
      },
    ],
    [
      'the same entry id in two databases',
      (d) => {
        d.cms.models.push({ id: 'teams', name: { en: 'Teams' }, fields: [] });
        d.cms.entries.push({ id: 'chef_1', modelId: 'teams' });
      },
    ],
    ['the same slug in two kinds', (d) => (d.menu.products[0].slug = 'mains')],
    ['a generated secret', (d) => (d.apiKeys[0].secret = secret)],
    [
      'a hash instead of a secret',
      (d) => {
        d.apiKeys[0].secretHash = 'd8a0afd6cbd8ec8b4f5f36cb46ac71ef0ffb29fef7e9fdd5cbc3a8ed5f0fba60';
        delete d.apiKeys[0].secret;
      },
    ],
    [
      'a price with three decimals',
      (d) =>
        (d.menu.products[0].priceOptions = [
          { id: 'a', price: 1.005 },
          { id: 'b', price: 0 },
        ]),
    ],
    ['a clause of 340 KB', (d) => (d.cms.entries[0].values.notes = 'x'.repeat(340 * 1_024))],
    ['a pattern', (d) => (d.forms[0].fields[0].validations = { pattern: '[^@]+@saffron\\.example' })],
  ]);
});

describe('a failure of shape', () => {
  eachChange([
    ['an unknown member', (d) => (d.members[0].role = 'owner'), 'member mem_1 role unknown_field'],
    [
      'an unknown member further down',
      (d) => (d.menu.products[0].priceOptions = [{ id: 'a', price: 1, cost: 1 }]),
      'menuProduct prod_1 priceOptions.0.cost unknown_field',
    ],
    ['a record that is no object', (d) => d.forms.push('contact'), 'form forms[1] type'],
    ['a missing member', (d) => delete d.menu.products[0].slug, 'menuProduct prod_1 slug required'],
    ['a wrong type', (d) => (d.members[0].active = 'yes'), 'member mem_1 active type'],
    ['null where none is meant', (d) => (d.members[0].permissions = null), 'member mem_1 permissions type'],
    [
      'several at once',
      (d) => {
        d.cms.models[0].fields[1] = { key: 'id', name: { fr: 'x' }, type: 'phone', localized: true };
        d.cms.models[0].fields[2] = { key: 'name', name: { en: 'Name' }, type: 'jsonb' };
      },
      'cmsModel chefs fields.1.key not_allowed',
      'cmsModel chefs fields.1.localized not_allowed',
      'cmsModel chefs fields.2.type not_allowed',
      'cmsModel chefs fields.2.key duplicate',
      'cmsModel chefs fields.1.name.fr not_allowed',
    ],
    [
      'ids that are none',
      (d) => {
        d.members.push(
          { id: '.', name: 'N' },
          { id: '..', name: 'N' },
          { id: '', name: 'N' },
          { id: 'a b', name: 'N' },
          { id: 'é', name: 'N' },
          { id: 1, name: 'N' },
          { id: 'x'.repeat(129), name: 'N' },
        );
      },
      'member . id format',
      'member .. id format',
      'member id format',
      'member a b id format',
      'member é id format',
      'member members[6] id type',
      `member ${'x'.repeat(128)} id format`,
    ],
    [
      'an id without a record',
      (d) => (d.workspace.id = 'ws:1'),
      'workspace ws:1 id format',
      'attachment att_1 s3Key not_allowed',
    ],
    ['a slug with a space', (d) => (d.forms[0].slug = 'contact us'), 'form form_1 slug format'],
    ['a slug of 101 characters', (d) => (d.forms[0].slug = 'x'.repeat(101)), 'form form_1 slug format'],
    [
      'a time stamp without seconds',
      (d) => (d.menu.categories[0].createdAt = '2026-01-01T00:00Z'),
      'menuCategory cat_1 createdAt format',
    ],
    [
      'a time stamp of no day',
      (d) => (d.menu.categories[0].createdAt = '2026-02-30T00:00:00.000Z'),
      'menuCategory cat_1 createdAt format',
    ],
    [
      'a permission that does not exist',
      (d) => (d.members[0].permissions = ['cms:*']),
      'member mem_1 permissions.0 not_allowed',
    ],
    [
      'a position that is no number',
      (d) => {
        d.menu.categories[0].position = '1';
        d.menu.products[0].position = [1];
      },
      'menuCategory cat_1 position type',
      'menuProduct prod_1 position type',
    ],
    [
      'an end of being sold out without a zone',
      (d) => (d.menu.products[0].soldoutUntil = '2026-01-01T00:00:00'),
      'menuProduct prod_1 soldoutUntil format',
    ],
    [
      'an end of being sold out in words',
      (d) => (d.menu.products[0].soldoutUntil = false),
      'menuProduct prod_1 soldoutUntil type',
    ],
    [
      'a price below 0',
      (d) => (d.menu.products[0].priceOptions = [{ id: 'a', price: -1 }]),
      'menuProduct prod_1 priceOptions.0.price min',
    ],
    [
      'a price with four decimals',
      (d) =>
        (d.menu.products[0].priceOptions = [
          { id: 'a', price: 1.0005 },
          { id: 'b', price: 1e-7 },
        ]),
      'menuProduct prod_1 priceOptions.0.price step',
      'menuProduct prod_1 priceOptions.1.price step',
    ],
    [
      'a prototype as a member',
      (d) => (d.formResponses[0].meta = JSON.parse('{"_a":{"__proto__":{}}}')),
      'formResponse res_1 meta._a.__proto__ not_allowed',
    ],
    [
      'a language called constructor',
      (d) => (d.menu.products[0].name = { constructor: 'x' }),
      'menuProduct prod_1 name.constructor not_allowed',
    ],
    ['a lone surrogate', (d) => (d.messaging.messages[0].text = 'a\ud800'), 'message msg_1 text format'],
  ]);
});

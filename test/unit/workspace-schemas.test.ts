import { describe } from '@jest/globals';
import { type Document, eachChange, times } from './document-file.ts';

const option = (index: number) => ({ value: `v${index}`, label: {} });
const textField = (index: number) => ({ key: `key${index}`, name: { en: `key${index}` }, type: 'text' });
const formField = (index: number) => ({
  id: `f${index}`,
  ref: `ref${index}`,
  title: { en: `ref${index}` },
  type: 'TEXT',
});

describe('a failure of CMS databases and entries', () => {
  const field = (members: object) => (d: Document) =>
    d.cms.models[0].fields.push({ key: 'it', name: { en: 'It' }, ...members });
  const values = (given: object) => (d: Document) => Object.assign(d.cms.entries[0].values, given);
  eachChange([
    [
      '151 fields',
      (d) => d.cms.models.push({ id: 'm', name: { en: 'M' }, fields: times(151, textField) }),
      'cmsModel m fields max_items',
    ],
    [
      '501 options',
      field({ type: 'multiSelect', options: times(501, option) }),
      'cmsModel chefs fields.5.options max_items',
    ],
    ['a key that is no key', field({ key: '1st', type: 'text' }), 'cmsModel chefs fields.5.key format'],
    [
      'a key called constructor',
      field({ key: 'constructor', type: 'text' }),
      'cmsModel chefs fields.5.key not_allowed',
    ],
    ['a key called createdAt', field({ key: 'createdAt', type: 'text' }), 'cmsModel chefs fields.5.key not_allowed'],
    ['options of a text', field({ type: 'text', options: [option(1)] }), 'cmsModel chefs fields.5.options not_allowed'],
    ['many of a text', field({ type: 'text', many: true }), 'cmsModel chefs fields.5.many not_allowed'],
    ['a relation without a target', field({ type: 'relation' }), 'cmsModel chefs fields.5.relation required'],
    [
      'a relation to nowhere',
      field({ type: 'relation', relation: { to: 'products' } }),
      'cmsModel chefs fields.5.relation.to format',
    ],
    [
      'a relation of a text',
      field({ type: 'text', relation: { to: 'cms:chefs' } }),
      'cmsModel chefs fields.5.relation not_allowed',
    ],
    ['the entry id list', (d) => (d.cms.entries[0].id = 'list'), 'cmsEntry list id not_allowed'],
    ['an entry of no database', (d) => (d.cms.entries[0].modelId = 'cooks'), 'cmsEntry chef_1 modelId not_found'],
    [
      'unknown, missing and wrong values',
      (d) => (d.cms.entries[0].values = { nickname: 1, phone: 'x', mentor: 7, toString: 1 }),
      'cmsEntry chef_1 values.nickname unknown_field',
      'cmsEntry chef_1 values.toString unknown_field',
      'cmsEntry chef_1 values.name required',
      'cmsEntry chef_1 values.phone format',
      'cmsEntry chef_1 values.mentor type',
    ],
    [
      'a value called __proto__',
      (d) => (d.cms.entries[0].values = JSON.parse('{"name":{"en":"x"},"__proto__":1}')),
      'cmsEntry chef_1 values.__proto__ unknown_field',
    ],
    ['a required value that is blank', values({ name: { en: ' ', ar: null } }), 'cmsEntry chef_1 values.name required'],
    ['a localized value that is a text', values({ name: 'Noor' }), 'cmsEntry chef_1 values.name type'],
    [
      'JSON of 31 levels',
      values({ notes: JSON.parse('['.repeat(31) + ']'.repeat(31)) }),
      'cmsEntry chef_1 values.notes too_large',
    ],
    [
      '1,001 related ids',
      values({ signature: times(1_001, (index) => `p${index}`) }),
      'cmsEntry chef_1 values.signature max_items',
    ],
    ['values that are a list', (d) => (d.cms.entries[0].values = []), 'cmsEntry chef_1 values type'],
    ['an entry of 351 KB', values({ notes: 'x'.repeat(351 * 1_024) }), 'cmsEntry chef_1 too_large'],
    [
      'an entry of a malformed database',
      (d) => {
        d.cms.models[0].name = 'Chefs';
        d.cms.entries[0].values = { anything: 1 };
      },
      'cmsModel chefs name type',
    ],
  ]);
});

describe('a failure of a form', () => {
  const validations = (type: string, given: object) => (d: Document) =>
    Object.assign(d.forms[0].fields[0], { type, validations: given });
  eachChange([
    ['101 fields', (d) => (d.forms[0].fields = times(101, formField)), 'form form_1 fields max_items'],
    [
      '21 addresses',
      (d) => (d.forms[0].notifications = { emails: times(21, (index) => `a${index}@b.co`) }),
      'form form_1 notifications.emails max_items',
    ],
    [
      'an address that is none',
      (d) => (d.forms[0].notifications = { emails: ['owner'] }),
      'form form_1 notifications.emails.0 format',
    ],
    [
      'a pattern that looks ahead',
      validations('TEXT', { pattern: '(?=a)a' }),
      'form form_1 fields.0.validations.pattern pattern',
    ],
    [
      'a pattern of 2,001 instructions',
      validations('TEXT', { pattern: 'a{1000}a{999}' }),
      'form form_1 fields.0.validations.pattern pattern',
    ],
    [
      'what does not apply to the type',
      validations('NUMBER', { required: true, maxLength: 5, min: 1 }),
      'form form_1 fields.0.validations.maxLength not_allowed',
    ],
    [
      'an unknown validation',
      validations('TEXT', { regex: 'a' }),
      'form form_1 fields.0.validations.regex unknown_field',
    ],
    [
      '501 options',
      validations('SELECT', { options: times(501, option) }),
      'form form_1 fields.0.validations.options max_items',
    ],
    ['a type that does not exist', validations('STRING', {}), 'form form_1 fields.0.type not_allowed'],
    ['a type that every object has', validations('constructor', {}), 'form form_1 fields.0.type not_allowed'],
  ]);
});

import { describe, expect, it } from '@jest/globals';
import { generatedSecret } from '#lib/table/access/new-secret.ts';
import { eachChange, smallDocument, validated } from './document-file.ts';

const secret = generatedSecret('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg');
const option = (index: number) => ({ value: `v${index}`, label: {} });

describe('a failure of a workspace', () => {
  eachChange([
    [
      '11 languages',
      (d) => (d.workspace.languages = ['en', 'ar', ...'abcdefghi'].map((code) => code.padEnd(2, 'x'))),
      'workspace ws_1 languages max_items',
    ],
    [
      'no language',
      (d) => (d.workspace.languages = []),
      'workspace ws_1 languages min_items',
      'workspace ws_1 defaultLanguage not_allowed',
      'cmsModel chefs name.en not_allowed',
      ...[0, 1, 2, 3, 4].map((index) => `cmsModel chefs fields.${index}.name.en not_allowed`),
      'cmsEntry chef_1 values.name.en not_allowed',
      'menuCategory cat_1 name.en not_allowed',
      'menuProduct prod_1 name.en not_allowed',
      'form form_1 title.en not_allowed',
      'form form_1 fields.0.title.en not_allowed',
    ],
    ['a language twice', (d) => (d.workspace.languages = ['en', 'ar', 'en']), 'workspace ws_1 languages duplicate'],
    [
      'a default that is no language of it',
      (d) => (d.workspace.defaultLanguage = 'fr'),
      'workspace ws_1 defaultLanguage not_allowed',
    ],
    ['a malformed language', (d) => d.workspace.languages.push('english'), 'workspace ws_1 languages.2 format'],
    ['no workspace', (d) => delete d.workspace, 'document workspace required'],
    ['no version', (d) => delete d.version, 'document version required'],
    ['another version', (d) => (d.version = '1'), 'document version not_allowed'],
    [
      'unknown places',
      (d) => {
        d.products = [];
        d.menu.items = [];
      },
      'document menu.items unknown_field',
      'document products unknown_field',
    ],
    [
      'places of another form',
      (d) => {
        d.members = {};
        d.menu = [];
        d.apiKeys = [];
        d.cms.entries = [];
      },
      'document members type',
      'document menu type',
    ],
  ]);
});

describe('a failure of a language', () => {
  eachChange([
    [
      'everywhere there are texts',
      (d) => {
        const name = { fr: 'x' };
        const image = { id: 'i', url: '/u', alt: name };
        d.cms.models[0].fields.push(
          { key: 'o', name, type: 'select', options: [{ value: 'a', label: name }] },
          { key: 'photo', name: { en: 'Photo' }, type: 'media' },
        );
        d.cms.entries[0].values = { name: { ...name, en: 'x' }, photo: image };
        Object.assign(d.menu.categories[0], { description: name, thumbnail: image });
        Object.assign(d.menu.products[0], {
          images: [image],
          priceOptions: [{ id: 'a', price: 1, name }],
          optionSets: [{ id: 'o', name, options: [{ id: 'p', name, price: 1 }] }],
        });
        d.forms[0].fields[0] = {
          id: 'f',
          ref: 'f',
          title: name,
          type: 'RADIO',
          validations: { options: [{ value: 'a', label: name }], message: name },
        };
      },
      'cmsModel chefs fields.5.name.fr not_allowed',
      'cmsModel chefs fields.5.options.0.label.fr not_allowed',
      'cmsEntry chef_1 values.name.fr not_allowed',
      'cmsEntry chef_1 values.photo not_allowed',
      'menuCategory cat_1 description.fr not_allowed',
      'menuCategory cat_1 thumbnail.alt.fr not_allowed',
      'menuProduct prod_1 images.0.alt.fr not_allowed',
      'menuProduct prod_1 priceOptions.0.name.fr not_allowed',
      'menuProduct prod_1 optionSets.0.name.fr not_allowed',
      'menuProduct prod_1 optionSets.0.options.0.name.fr not_allowed',
      'form form_1 fields.0.title.fr not_allowed',
      'form form_1 fields.0.validations.options.0.label.fr not_allowed',
      'form form_1 fields.0.validations.message.fr not_allowed',
    ],
  ]);
});

describe('a failure of uniqueness', () => {
  eachChange([
    ['two records with one id', (d) => d.messaging.customers.push({ id: 'cus_1' }), 'customer cus_1 id duplicate'],
    [
      'two entries of a database with one id',
      (d) => d.cms.entries.push(d.cms.entries[0]),
      'cmsEntry chef_1 id duplicate',
    ],
    [
      'two records of one content without ids',
      (d) => (d.messaging.customers = [{ id: 'cus_1' }, { name: 'A' }, { name: 'A' }]),
      'customer messaging.customers[2] id duplicate',
    ],
    [
      'two products with one slug',
      (d) => d.menu.products.push({ ...d.menu.products[0], id: 'prod_2' }),
      'menuProduct prod_2 slug duplicate',
    ],
    [
      'two channels of one host',
      (d) =>
        d.messaging.channels.push({ id: 'ch_2', type: 'website', identifier: 'https://WWW.Saffron.example:8080/a' }),
      'channel ch_2 identifier duplicate',
    ],
    [
      'two keys with one secret',
      (d) => d.apiKeys.push({ ...d.apiKeys[0], id: 'key_2' }),
      'apiKey key_2 secret duplicate',
    ],
    [
      'two fields of a form with one ref',
      (d) => d.forms[0].fields.push({ ...d.forms[0].fields[0], id: 'ff_2' }),
      'form form_1 fields.1.ref duplicate',
    ],
    [
      'two options with one value',
      (d) =>
        d.cms.models[0].fields.push({ key: 'o', name: { en: 'O' }, type: 'select', options: [option(1), option(1)] }),
      'cmsModel chefs fields.5.options.1.value duplicate',
    ],
  ]);
});

describe('a failure of a key', () => {
  eachChange([
    ['a short secret', (d) => (d.apiKeys[0].secret = 'x'.repeat(19)), 'apiKey key_1 secret format'],
    ['a long secret', (d) => (d.apiKeys[0].secret = 'x'.repeat(201)), 'apiKey key_1 secret format'],
    [
      'a secret with a space',
      (d) => (d.apiKeys[0].secret = 'saffron site key 0000000000'),
      'apiKey key_1 secret format',
    ],
    [
      'a mistyped generated secret',
      (d) => (d.apiKeys[0].secret = secret.replace('a', 'b')),
      'apiKey key_1 secret format',
    ],
    [
      'a hash that is none',
      (d) => (d.apiKeys[0] = { id: 'key_1', name: 'N', secretHash: 'ABC' }),
      'apiKey key_1 secretHash format',
    ],
    [
      'a secret and the hash of another',
      (d) => (d.apiKeys[0].secretHash = '0'.repeat(64)),
      'apiKey key_1 secretHash not_allowed',
    ],
  ]);

  it('does not show its secret', async () => {
    const document = smallDocument();
    document.apiKeys[0].secret = secret.replace('a', 'b');
    expect(JSON.stringify((await validated(document)).failures)).not.toContain('wsk_');
  });
});

describe('a record that another one needs', () => {
  eachChange([
    [
      'must be there',
      (d) => {
        d.members = [];
        d.menu.categories = [];
        d.forms = [];
        d.messaging.channels = [];
        d.messaging.customers = [];
        d.messaging.messages = [{ id: 'm', conversationId: 'conv_2', senderType: 'system', text: '' }];
        d.formResponses = [];
      },
      'apiKey key_1 memberId not_found',
      'menuProduct prod_1 categoryId not_found',
      'conversation conv_1 channelId not_found',
      'conversation conv_1 customerId not_found',
      'message m conversationId not_found',
    ],
    [
      'must be in its own part of the bucket',
      (d) => (d.attachments[0].s3Key = 'workspaces/ws_2/drive/messaging/2026-01/a/a.png'),
      'attachment att_1 s3Key not_allowed',
    ],
    [
      'must not climb out of the bucket',
      (d) => (d.attachments[0].s3Key = 'workspaces/ws_1/drive/messaging/../../a'),
      'attachment att_1 s3Key format',
    ],
  ]);
  eachChange(
    [
      [
        'may be absent where relations and suggestions name it',
        (d) => {
          d.cms.entries[0].values = { name: { en: 'x' }, mentor: 'chef_9', signature: ['prod_1', 'prod_8', 'prod_9'] };
          d.cms.models[0].fields[4].relation.to = 'cms:dishes';
          d.menu.products[0].suggestions = ['prod_1', 'prod_2'];
          d.attachments = [];
        },
        'cmsModel chefs fields.4.relation.to not_found',
        'cmsEntry chef_1 values.mentor not_found',
        'cmsEntry chef_1 values.signature not_found',
        'cmsEntry chef_1 values.signature not_found',
        'cmsEntry chef_1 values.signature not_found',
        'menuProduct prod_1 suggestions.1 not_found',
        'message msg_1 attachments.0 not_found',
      ],
      [
        'the form and the response of a notification, which outlives them',
        (d) => {
          d.forms = [];
          d.formResponses = [];
        },
        'notification not_1 formId not_found',
        'notification not_1 formResponseId not_found',
      ],
      [
        'a database that an agent may look into, and that is not there',
        (d) => (d.messaging.agents[0].databases = ['chefs', 'recipes', '__proto__']),
        'agent agent_1 databases.1 not_found',
        'agent agent_1 databases.2 not_found',
      ],
    ],
    'warnings',
  );
});

import { expect, it } from '@jest/globals';
import { webhookTexts } from '#lib/console/app/areas/settings/webhooks/texts.ts';
import { actionOf, hasType, toggledType, typeGroups } from '#lib/console/app/areas/settings/webhooks/types.ts';
import { isSelector } from '#lib/kinds/event-types.ts';
import { kindLabels } from '#lib/kinds/kind-labels.ts';

it('all types are offered, and every kind and action has a name in both languages', () => {
  for (const { kind, all, types } of typeGroups) {
    expect([all, ...types].filter((type) => !isSelector(type))).toEqual([]);
    for (const texts of [webhookTexts.en, webhookTexts.ar] as Record<string, string>[]) {
      expect([kind, kindLabels[kind] ?? texts[kind]]).not.toEqual([kind, undefined]);
      expect(types.filter((type) => texts[actionOf(type)] === undefined)).toEqual([]);
    }
  }
  expect(typeGroups.find(({ kind }) => kind === 'menu-products')).toMatchObject({
    all: 'menu_product.*',
    types: expect.arrayContaining(['menu_product.availability_changed']),
  });
});

it('all of a kind takes the place of its types, and leaves those of others', () => {
  const some = ['form.created', 'form_response.created', 'form.deleted'];
  const all = toggledType(some, 'form.*');
  expect(all).toEqual(['form_response.created', 'form.*']);
  expect([hasType(all, 'form.updated'), hasType(all, 'form_response.deleted')]).toEqual([true, false]);
  expect(toggledType(all, 'form.*')).toEqual(['form_response.created']);
  expect(toggledType(some, 'form.created')).toEqual(['form_response.created', 'form.deleted']);
});

import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import type { Records } from '#lib/client/records.ts';
import {
  completeAgent,
  completeCategory,
  completeChannel,
  completeCustomer,
  completeEntry,
  completeForm,
  completeModel,
  completeProduct,
} from '../complete-records.ts';
import { type Room, type Screen, type Story, save, settled } from '../room.ts';

export const screens: readonly Screen[] = [];

const fill = (page: Page, name: string, value: string) =>
  page.getByRole('textbox', { name, exact: true }).first().fill(value);

export interface CompleteRecord {
  readonly name: string;
  /** The client's calls for this kind. */
  readonly calls: (room: Room) => Records;
  /** For an entry: `modelId/id`. */
  readonly id: string;
  readonly address: string;
  readonly record: object;
  /** Changes one property of the record on the screen. */
  readonly change: (page: Page) => Promise<void>;
  /** The expected record after the change. */
  readonly changed: (stored: Record<string, unknown>) => Record<string, unknown>;
}

export const wholes: readonly CompleteRecord[] = [
  {
    name: 'product',
    calls: ({ client }) => client.manage.menuProducts,
    id: 'prod_whole',
    address: '/menu/products/prod_whole',
    record: completeProduct,
    change: (page) => fill(page, 'Name, English', 'Changed'),
    changed: (stored) => ({ ...stored, name: { ...completeProduct.name, en: 'Changed' } }),
  },
  {
    name: 'category',
    calls: ({ client }) => client.manage.menuCategories,
    id: 'cat_whole',
    address: '/menu/categories/cat_whole',
    record: completeCategory,
    change: (page) => fill(page, 'Name, Arabic', 'جديد'),
    changed: (stored) => ({ ...stored, name: { ...completeCategory.name, ar: 'جديد' } }),
  },
  {
    name: 'form',
    calls: ({ client }) => client.manage.forms,
    id: 'form_whole',
    address: '/forms/edit/form_whole',
    record: completeForm,
    change: (page) => fill(page, 'Title, English', 'Changed'),
    changed: (stored) => ({ ...stored, title: { ...completeForm.title, en: 'Changed' } }),
  },
  {
    name: 'database',
    calls: ({ client }) => client.manage.cmsModels,
    id: 'whole_things',
    address: '/content/databases/edit/whole_things',
    record: completeModel,
    change: (page) => fill(page, 'Name of the database, English', 'Changed'),
    changed: (stored) => ({ ...stored, name: { ...completeModel.name, en: 'Changed' } }),
  },
  {
    name: 'entry',
    calls: ({ client }) => client.manage.cmsEntries,
    id: 'whole_things/one',
    address: '/content/entries/whole_things/edit/one',
    record: completeEntry,
    change: (page) => fill(page, 'The code', 'A-2'),
    changed: (stored) => ({ ...stored, values: { ...completeEntry.values, code: 'A-2' } }),
  },
  {
    name: 'agent',
    calls: ({ client }) => client.manage.agents,
    id: 'agent_whole',
    address: '/settings/agents/agent_whole',
    record: completeAgent,
    change: (page) => fill(page, 'Name', 'Changed'),
    changed: (stored) => ({ ...stored, name: 'Changed' }),
  },
  {
    name: 'channel',
    calls: ({ client }) => client.manage.channels,
    id: 'ch_whole',
    address: '/settings/channels/ch_whole',
    record: completeChannel,
    change: (page) => fill(page, 'Identifier', 'other.example'),
    changed: (stored) => ({ ...stored, identifier: 'other.example' }),
  },
  {
    name: 'customer',
    calls: ({ client }) => client.manage.customers,
    id: 'cus_whole',
    address: '/settings/customers/cus_whole',
    record: completeCustomer,
    change: (page) => fill(page, 'Phone', '+966511111111'),
    changed: (stored) => ({ ...stored, phone: '+966511111111' }),
  },
];

const withoutTime = ({ updatedAt: _, ...record }: Record<string, unknown>) => record;

export const stories: readonly Story[] = wholes.map(({ name, calls, id, address, record, change, changed }) => ({
  name: `records: ${name} with every member set: none is lost when one of them is changed`,
  run: async (room) => {
    const { record: stored } = await calls(room).replace(id, { ...record });
    // Every submitted property is stored. The service may add others.
    assert.deepEqual({ ...stored, ...record }, stored);
    const page = await room.visit(address);
    await change(page);
    await save(page);
    const { record: after } = await calls(room).get(id);
    assert.deepEqual(withoutTime(after), withoutTime(changed(stored)));
    await settled(page);
    await page.context().close();
  },
}));

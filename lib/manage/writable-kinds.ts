import { randomBytes, randomUUID } from 'node:crypto';
import { entryId } from '#lib/domain/cms/entry-id.ts';
import type { ManagedKindName } from '#lib/domain/manage/managed-kinds.ts';
import { clearSoldoutUntil, requireAvailabilityOnly } from './availability.ts';
import { entriesOfModel, entryRules } from './entries.ts';
import { entriesWithValues } from './field-values.ts';
import type { EditRules } from './managed-record.ts';
import { onlyReadAt } from './notifications.ts';
import { productsOfCategory, referrersOf } from './referrers.ts';
import { fileRemovalWrites } from './removed-files.ts';

/** A database with a new relation to products may wait for updates of its entries (lib/table/writer/model-rules.ts). */
export const schemaMilliseconds = 8_000;

const randomId = (prefix: string) => () => `${prefix}${randomUUID().replaceAll('-', '')}`;

/** It contains the creation time, so that functions find a new entry without its pointer. */
const newEntryId = (now: Date): string => entryId(now.getTime(), randomBytes(12).toString('hex'));

/** The rules of writes, by kind. */
const writableKinds: Readonly<Record<ManagedKindName, EditRules>> = {
  workspace: { kind: 'workspace', newId: randomId('') },
  'cms-models': {
    kind: 'cmsModel',
    newId: randomId('model_'),
    milliseconds: schemaMilliseconds,
    referrers: entriesOfModel,
    holders: entriesWithValues,
  },
  'cms-entries': { kind: 'cmsEntry', newId: newEntryId, ...entryRules },
  'menu-categories': { kind: 'menuCategory', newId: randomId('cat_'), referrers: productsOfCategory },
  'menu-products': {
    kind: 'menuProduct',
    newId: randomId('prod_'),
    authorize: requireAvailabilityOnly,
    prepare: clearSoldoutUntil,
  },
  forms: { kind: 'form', newId: randomId('form_'), referrers: referrersOf('form', 'form-responses') },
  'form-responses': { kind: 'formResponse', newId: randomId('res_') },
  notifications: { kind: 'notification', newId: randomId('not_'), authorize: onlyReadAt },
  attachments: { kind: 'attachment', newId: randomId('att_'), additionalWrites: fileRemovalWrites },
  agents: { kind: 'agent', newId: randomId('agent_') },
  channels: { kind: 'channel', newId: randomId('ch_'), referrers: referrersOf('channel', 'conversations') },
  customers: { kind: 'customer', newId: randomId('cus_'), referrers: referrersOf('customer', 'conversations') },
};

export const rulesOf = (name: ManagedKindName): EditRules => writableKinds[name];

import type { ManagedKindName } from '#lib/domain/manage/managed-kinds.ts';
import { clearSoldoutUntil, requireAvailabilityOnly } from './availability.ts';
import { entriesOfModel, entryRules } from './entries.ts';
import { entriesWithValues } from './field-values.ts';
import type { WritableKind } from './managed-record.ts';
import { onlyReadAt } from './notifications.ts';
import { productsOfCategory, referrersOf } from './referrers.ts';
import { fileRemovalWrites } from './removed-files.ts';

/** A database with a new relation to products may wait for updates of its entries (lib/table/writer/model-rules.ts). */
export const schemaMilliseconds = 8_000;

/** The rules of writes, by kind. */
const writableKinds: Readonly<Record<ManagedKindName, WritableKind>> = {
  workspace: { kind: 'workspace', idPrefix: '' },
  'cms-models': {
    ...{ kind: 'cmsModel', idPrefix: 'model_', milliseconds: schemaMilliseconds },
    ...{ referrers: entriesOfModel, holders: entriesWithValues },
  },
  'cms-entries': { kind: 'cmsEntry', idPrefix: 'entry_', ...entryRules },
  'menu-categories': { kind: 'menuCategory', idPrefix: 'cat_', referrers: productsOfCategory },
  'menu-products': {
    kind: 'menuProduct',
    idPrefix: 'prod_',
    authorize: requireAvailabilityOnly,
    prepare: clearSoldoutUntil,
  },
  forms: { kind: 'form', idPrefix: 'form_', referrers: referrersOf('form', 'form-responses') },
  'form-responses': { kind: 'formResponse', idPrefix: 'res_' },
  notifications: { kind: 'notification', idPrefix: 'not_', authorize: onlyReadAt },
  attachments: { kind: 'attachment', idPrefix: 'att_', extra: fileRemovalWrites },
  agents: { kind: 'agent', idPrefix: 'agent_' },
  channels: { kind: 'channel', idPrefix: 'ch_', referrers: referrersOf('channel', 'conversations') },
  customers: { kind: 'customer', idPrefix: 'cus_', referrers: referrersOf('customer', 'conversations') },
};

export const rulesOf = (name: ManagedKindName): WritableKind => writableKinds[name];

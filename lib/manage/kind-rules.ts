import { randomBytes } from 'node:crypto';
import { entryId } from '#lib/domain/cms/entry-id.ts';
import type { ContentKind } from '#lib/kinds/kinds.ts';
import { clearSoldoutUntil, requireAvailabilityOnly } from './availability.ts';
import {
  requireAllowedModel,
  requireReach,
  requireSight,
  requireToReadConversations,
  requireToReadResponses,
} from './effects.ts';
import { entriesOfModel, entryRules } from './entries.ts';
import { entriesWithValues } from './field-values.ts';
import type { EditRules } from './managed-record.ts';
import { onlyReadAt } from './notifications.ts';
import { productsOfCategory, referrersOf } from './referrers.ts';
import { fileRemovalWrites } from './removed-files.ts';

/** A database with a new relation to products may wait for updates of its entries (lib/table/writer/model-rules.ts). */
export const schemaMilliseconds = 8_000;

/** It contains the creation time, so that functions find a new entry without its pointer. */
const newEntryId = (now: Date): string => entryId(now.getTime(), randomBytes(12).toString('hex'));

/** The rules that only one kind has. All others are in its declaration. */
const rules: Readonly<Partial<Record<ContentKind, EditRules>>> = {
  cmsModel: {
    milliseconds: schemaMilliseconds,
    referrers: entriesOfModel,
    authorize: requireSight,
    holders: entriesWithValues,
  },
  cmsEntry: { newId: newEntryId, ...entryRules },
  menuCategory: { referrers: productsOfCategory },
  menuProduct: { authorize: requireAvailabilityOnly, prepare: clearSoldoutUntil },
  form: { referrers: referrersOf('form'), authorize: requireToReadResponses },
  notification: { authorize: onlyReadAt },
  attachment: { additionalWrites: fileRemovalWrites },
  channel: { referrers: referrersOf('channel') },
  customer: { referrers: referrersOf('customer'), authorize: requireToReadConversations },
  agent: {
    authorize: (...write) => {
      requireAllowedModel(...write);
      return requireReach(...write);
    },
  },
};

export const rulesOf = (kind: ContentKind): EditRules => rules[kind] ?? {};

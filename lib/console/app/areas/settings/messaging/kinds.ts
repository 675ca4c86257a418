import type { Permission } from '#lib/domain/access/permission.ts';
import { textOf } from '#lib/domain/input.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { client } from '../../../data/client.ts';
import type { RecordCalls } from '../../../data/records.ts';
import type { Members } from '../../../editing/paths.ts';
import type { messagingTexts } from './texts.ts';

type Texts = (typeof messagingTexts)['ar'];

/** A kind of records for messaging. Its screens are at `/settings/<kind>`. */
export interface MessagingKind {
  readonly kind: 'agents' | 'channels' | 'customers';
  readonly calls: RecordCalls;
  readonly read: Permission;
  readonly manage: Permission;
  readonly newText: keyof Texts;
  readonly searchText: keyof Texts;
  /** The initial values of a new record. */
  readonly blank: Members;
}

export const messagingKinds: readonly MessagingKind[] = [
  {
    kind: 'agents',
    calls: client.manage.agents,
    newText: 'newAgent',
    searchText: 'searchAgents',
    read: 'messaging:agent:read',
    manage: 'messaging:agent:manage',
    blank: { name: '', enabled: true, instructions: '' },
  },
  {
    kind: 'channels',
    calls: client.manage.channels,
    newText: 'newChannel',
    searchText: 'searchChannels',
    read: 'messaging:channel:read',
    manage: 'messaging:channel:manage',
    blank: { type: 'website', identifier: '', name: null, agentId: null },
  },
  {
    kind: 'customers',
    calls: client.manage.customers,
    newText: 'newCustomer',
    searchText: 'searchCustomers',
    read: 'messaging:customer:read',
    manage: 'messaging:customer:manage',
    blank: { name: null, email: null, phone: null, externalId: null },
  },
];

/** The name of a record, or another text that identifies it. */
export const nameOfRecord = (record: Members): string =>
  ['name', 'identifier', 'email', 'phone', 'externalId', 'id']
    .map((member) => (member === 'email' ? shownEmail(textOf(record[member])) : textOf(record[member])))
    .find((text) => text.trim() !== '') ?? '';

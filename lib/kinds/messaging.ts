import { Agent } from '#lib/domain/messaging/agent.ts';
import { Channel } from '#lib/domain/messaging/channel.ts';
import { Customer } from '#lib/domain/messaging/customer.ts';
import { crud, defineKind, edits } from './define-kind.ts';

const channel = defineKind({
  documentPath: ['messaging', 'channels'],
  schema: Channel,
  unique: 'identifier',
  references: [{ path: 'agentId', to: 'agent', mayBeAbsent: true }],
  events: { path: 'channels', actions: edits, read: ['messaging:channel:read'] },
  managed: {
    path: 'channels',
    noun: 'channel',
    label: { en: 'Channel', ar: 'قناة' },
    verbs: crud('messaging:channel:read', 'messaging:channel:manage'),
    hasHistory: true,
    idPrefix: 'ch_',
    searched: ['id', 'name', 'identifier'],
    words: { input: 'A channel to store.' },
  },
});

export const customer = defineKind({
  documentPath: ['messaging', 'customers'],
  schema: Customer,
  events: { path: 'customers', actions: edits, read: ['messaging:customer:read'] },
  managed: {
    path: 'customers',
    noun: 'customer',
    label: { en: 'Customer', ar: 'عميل' },
    verbs: crud('messaging:customer:read', 'messaging:customer:manage'),
    idPrefix: 'cus_',
    searched: ['id', 'name', 'email', 'externalId'],
    words: { input: 'A customer to store. Missing properties are `null`.' },
  },
});

export const agent = defineKind({
  documentPath: ['messaging', 'agents'],
  schema: Agent,
  hasLanguage: true,
  references: [{ path: 'databases[]', to: 'cmsModel', noun: 'database of the workspace', mayBeAbsent: true }],
  events: { path: 'agents', actions: edits, read: ['messaging:agent:read'] },
  managed: {
    path: 'agents',
    noun: 'agent',
    label: { en: 'Agent', ar: 'وكيل' },
    verbs: crud('messaging:agent:read', 'messaging:agent:manage'),
    hasHistory: true,
    idPrefix: 'agent_',
  },
});

export const messagingKinds = { channel, customer, agent };

import { keys } from './keys.ts';
import type { RecordKind } from './record-kinds.ts';
import type { Item } from './table.ts';

/**
 * The referrers that have pointers, by what they refer to: their kind, and the member with its id. `main` are the
 * sub-conversations of a conversation, `handOver` the notifications of its hand-overs.
 */
export const references = {
  form: { kind: 'formResponse', member: 'formId' },
  channel: { kind: 'conversation', member: 'channelId' },
  customer: { kind: 'conversation', member: 'customerId' },
  main: { kind: 'conversation', member: 'parentId' },
  handOver: { kind: 'notification', member: 'conversationId' },
} as const;
export type Referred = keyof typeof references;

export type Referring = { readonly id: string } & Readonly<
  Partial<Record<(typeof references)[Referred]['member'], unknown>>
>;

/** The beginning of the names of all referrers of a parent. */
export const prefixOf = (parent: string, id: string): string => `${parent}#${id}#`;

/** The names (W3) under which these referrers are found. They contain the own id. */
export const referenceNames = (kind: RecordKind, record: Referring): string[] =>
  Object.entries(references).flatMap(([parent, reference]) => {
    const id = reference.kind === kind ? record[reference.member] : undefined;
    return typeof id === 'string' ? [`${prefixOf(parent, id)}${record.id}`] : [];
  });

/** The pointer items of these names. */
export const referenceItems = (workspaceId: string, kind: RecordKind, record: Referring): Item[] =>
  referenceNames(kind, record).map((name) => ({ ...keys.slug(workspaceId, kind, name), id: record.id }));

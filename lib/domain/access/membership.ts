import type { Member } from './member-record.ts';

export const isPending = ({ acceptedAt }: Pick<Member, 'acceptedAt'>): boolean => acceptedAt === null;

/** Whether a member opens sessions and has permissions, also for its keys. */
export const isInEffect = (member: Pick<Member, 'active' | 'acceptedAt'>): boolean =>
  member.active && !isPending(member);

import type { Member } from './member-record.ts';

export const isPending = ({ acceptedAt }: Pick<Member, 'acceptedAt'>): boolean => acceptedAt === null;

/** Whether a member opens sessions and has permissions, also for its keys. */
export const isInEffect = (member: Pick<Member, 'active' | 'acceptedAt'>): boolean =>
  member.active && !isPending(member);

/** True for a member in effect who may manage members, and can sign in to do so. */
export const isManager = (member: Member): boolean =>
  isInEffect(member) && member.email !== null && member.permissions.includes('access:member:manage');

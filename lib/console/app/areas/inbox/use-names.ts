import { useQuery } from '@tanstack/react-query';
import type { Conversation, Member, Message } from '#lib/client/types.ts';
import type { Agent } from '#lib/domain/messaging/agent.ts';
import type { Channel } from '#lib/domain/messaging/channel.ts';
import type { Customer } from '#lib/domain/messaging/customer.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { memberCalls } from '../../data/access-calls.ts';
import { client } from '../../data/client.ts';
import { recordKeys, useAllRecords } from '../../data/records.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { inboxTexts } from './texts.ts';

const minutes = 60_000;

/** The names of members and agents that the signed-in member may see. The member's own name is always available. */
export function useTeam() {
  const { id, name } = useProfile();
  const agents = useAllRecords<Agent>('agents', client.manage.agents, {}, useMay('messaging:agent:read'));
  const channels = useAllRecords<Channel>('channels', client.manage.channels, {}, useMay('messaging:channel:read'));
  const members = useAllRecords<Member>('members', memberCalls, {}, useMay('access:member:read'));
  const others = (members.data ?? []).filter((member) => member.id !== id);
  return {
    agents: agents.data ?? [],
    channels: channels.data ?? [],
    members: [{ id, name, active: true }, ...others],
  };
}
export type Team = ReturnType<typeof useTeam>;

/** @returns undefined for a customer that is unknown, or that the member may not see */
export function useCustomer(id: string | null): Customer | undefined {
  const mayRead = useMay('messaging:customer:read');
  const { data } = useQuery({
    queryKey: recordKeys.one('customers', id ?? ''),
    queryFn: () => client.manage.customers.get(id ?? ''),
    enabled: mayRead && id !== null,
    staleTime: 10 * minutes,
  });
  return data?.record as unknown as Customer | undefined;
}

/** The name of a customer, else the e-mail address, the phone number or a general word. */
export function useCustomerName(id: string | null): string {
  const t = useCatalogue(inboxTexts);
  const customer = useCustomer(id);
  const { name, email, phone } = customer ?? { name: null, email: null, phone: null };
  return (
    name?.trim() || shownEmail(email ?? '') || phone || (id === null ? t.visitor : customer ? t.visitor : t.customer)
  );
}

/** @returns the name of the assignee of a conversation */
export function useAssigneeName(): (assignee: Conversation['assignee'], team: Team) => string {
  const t = useCatalogue(inboxTexts);
  const { id: own } = useProfile();
  return (assignee, { agents, members }) => {
    if (!assignee) return t.nobody;
    if (assignee.id === own && assignee.type === 'member') return t.you;
    const among: readonly { readonly id: string; readonly name: string }[] =
      assignee.type === 'agent' ? agents : members;
    // A general word for people that the member may not see.
    return among.find(({ id }) => id === assignee.id)?.name || t[assignee.type];
  };
}

/** @returns the name of the author of a message */
export function useSenderName(customer: string, team: Team): (message: Message) => string {
  const t = useCatalogue(inboxTexts);
  const nameOf = useAssigneeName();
  return ({ senderType, senderId }) => {
    if (senderType === 'customer') return customer;
    if (senderType === 'system') return t.system;
    return senderId === null ? t[senderType] : nameOf({ type: senderType, id: senderId }, team);
  };
}

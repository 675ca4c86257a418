import type { Conversation } from '#lib/client/types.ts';

interface SomeAgent {
  readonly id: string;
  readonly enabled: boolean;
  readonly language?: string | undefined;
}

interface SomeChannel {
  readonly id: string;
  readonly agentId: string | null;
}

/** Whether agents stay silent: a member has the conversation, or it waits for the team (as the service judges it). */
export const isWithTeam = ({ status, assignee }: Pick<Conversation, 'status' | 'assignee'>): boolean =>
  assignee?.type === 'member' || (status === 'pending' && assignee?.type !== 'agent');

/**
 * The agent of a conversation: its assignee, else the agent of its channel, else one with its language, else any.
 * Undefined if no agent is enabled or readable.
 */
export function agentFor<Agent extends SomeAgent>(
  { assignee, channelId, language }: Pick<Conversation, 'assignee' | 'channelId' | 'language'>,
  agents: readonly Agent[],
  channels: readonly SomeChannel[],
): Agent | undefined {
  const enabled = agents.filter((agent) => agent.enabled);
  const byId = (id: string | null | undefined) => enabled.find((agent) => agent.id === id);
  return (
    byId(assignee?.type === 'agent' ? assignee.id : null) ??
    byId(channels.find(({ id }) => id === channelId)?.agentId) ??
    enabled.find((agent) => language !== null && agent.language === language) ??
    enabled[0]
  );
}

/** The change that assigns a conversation to an agent, so that it replies. */
export const handBack = (status: Conversation['status'], agentId: string) => ({
  assignee: { type: 'agent', id: agentId } as const,
  // The conversation no longer waits for the team.
  ...(status === 'pending' && { status: 'open' as const }),
});

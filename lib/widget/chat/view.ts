import type { StreamedReply } from './replies.ts';
import type { Message, Pending } from './store.ts';

/** The connection's state for the visitor. */
export type Condition = 'idle' | 'connecting' | 'ready' | 'offline' | 'busy' | 'refused';

/** The data of the page. */
export interface View {
  readonly condition: Condition;
  readonly messages: readonly Message[];
  readonly hasEarlier: boolean;
  readonly pending: readonly Pending[];
  readonly growing: StreamedReply | undefined;
  readonly failedReply: string | undefined;
  /** True when the team answers and not an agent; undefined before the first poll. */
  readonly isWithTeam: boolean | undefined;
  readonly unread: number;
}

export interface ChatEvents {
  changed(): void;
  /** New messages of the other side. */
  arrived(messages: readonly Message[]): void;
  /** A message that the service has refused. It is not retried. */
  refused(message: Pending): void;
}

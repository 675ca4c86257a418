import type { Growing } from './replies.ts';
import type { Pending } from './store.ts';
import type { Message } from './thread.ts';

/** The state of the connection as the visitor sees it. */
export type Condition = 'idle' | 'connecting' | 'ready' | 'offline' | 'busy' | 'refused';

/** Everything that the page shows. */
export interface View {
  readonly condition: Condition;
  readonly messages: readonly Message[];
  readonly hasEarlier: boolean;
  readonly pending: readonly Pending[];
  readonly growing: Growing | undefined;
  readonly failedReply: string | undefined;
  /** Whether the team answers and not an agent; undefined until it is known. */
  readonly isWithTeam: boolean | undefined;
  readonly unread: number;
}

export interface ChatEvents {
  changed(): void;
  /** Messages of the other side that have just come. */
  arrived(messages: readonly Message[]): void;
  /** A message that the service does not take; it is not sent again. */
  refused(message: Pending): void;
}

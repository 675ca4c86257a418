import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Agent } from '#lib/domain/messaging/agent.ts';
import { findRecord } from '../record-of.ts';
import type { Table } from '../table.ts';

/** The agent of an id, enabled or not. Access pattern W2. */
export const findAgent = (table: Table, scope: WorkspaceScope, id: string): Promise<Agent | undefined> =>
  findRecord<Agent>(table, scope, 'agent', id);

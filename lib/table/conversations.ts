import { setTimeout as pause } from 'node:timers/promises';
import type { Conversation } from '#lib/domain/conversation.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { isStill } from './conditions.ts';
import { editedNow } from './edited-at.ts';
import { ConditionFailed, Unavailable } from './errors.ts';
import { keys } from './keys.ts';
import { findRecord, recordOf } from './record-of.ts';
import type { Table } from './table.ts';

const triesMax = 8;

/** The conversations of a workspace. Access pattern W2. */
export class Conversations {
  readonly #table: Table;
  readonly #scope: WorkspaceScope;

  constructor(table: Table, scope: WorkspaceScope) {
    this.#table = table;
    this.#scope = scope;
  }

  find = (id: string): Promise<Conversation | undefined> => findRecord(this.#table, this.#scope, 'conversation', id);

  /**
   * Changes a conversation, whatever else changes it meanwhile.
   * @param change may be asked again, about what the conversation has become
   * @returns as it is now; nothing when there is none any more
   */
  async change(id: string, change: (stored: Conversation) => Conversation): Promise<Conversation | undefined> {
    const key = keys.record(this.#scope.workspaceId, 'conversation', id);
    for (let tries = 0; tries < triesMax; tries++) {
      const item = await this.#table.get(key);
      if (!item) return undefined;
      const before = String(item['record']);
      const changed = change(recordOf(item));
      const record = JSON.stringify(changed);
      if (record === before) return changed;
      try {
        await this.#table.put({ ...key, record, ...editedNow() }, isStill('record', before));
        return changed;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        this.#table.forget(key);
        await pause(Math.random() * 10 * 2 ** tries);
      }
    }
    throw new Unavailable('The conversation kept changing.');
  }
}

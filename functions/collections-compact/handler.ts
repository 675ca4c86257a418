import { type DueWork, dueWorker } from '#lib/due/due-worker.ts';
import { logWork } from '#lib/http/work-log.ts';
import { compactionMillisecondsMax, compactWorkspace } from '#lib/table/collection/compact-collections.ts';

interface LongLog {
  readonly workspaceId: string;
}

export const longLog: DueWork<LongLog> = {
  type: 'compaction',
  name: 'The compaction of a workspace',
  // A compaction may need much of the memory.
  lanes: 1,
  neededMilliseconds: compactionMillisecondsMax,
  attemptMilliseconds: 60_000,
  pauseAfter: () => 60_000,

  async handle({ workspaceId }, { table, isTimeLeft }) {
    if (!(await compactWorkspace(table, workspaceId, isTimeLeft))) return 'again';
    logWork('info', 'The log of a workspace was compacted.', { workspaceId });
    return 'done';
  },
};

/** Runs on a schedule: compacts the lists of workspaces with a long log, one after the other. */
export const handler = dueWorker(longLog);

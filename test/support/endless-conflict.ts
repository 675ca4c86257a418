import type { Answer } from './call.ts';
import type { FaultProxy } from './fault-proxy.ts';

/** The answer to a transaction that conflicts with others. */
export const conflict = {
  kind: 'error',
  type: 'TransactionCanceledException',
  status: 400,
  more: { CancellationReasons: [{ Code: 'TransactionConflict' }] },
} as const;
const triesMax = 5;
const jump = 10_000_000_000n;

/**
 * Sends a request whose transactions conflict with others until its time is over. A write is tried until then, with short
 * pauses a thousand times, so the clock of deadlines jumps by ten seconds after five tries.
 */
export async function inEndlessConflict(proxy: FaultProxy, send: () => Promise<Answer>): Promise<Answer> {
  let tries = 0;
  const { bigint } = process.hrtime;
  proxy.chance = ({ operation }) => {
    if (operation !== 'TransactWriteItems') return undefined;
    if (++tries === triesMax) process.hrtime.bigint = () => bigint() + jump;
    return conflict;
  };
  try {
    return await send();
  } finally {
    process.hrtime.bigint = bigint;
  }
}

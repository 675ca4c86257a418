import { expect } from '@jest/globals';
import { type Answer, type Call, call } from '#test/support/call.ts';

/** Requests that make each function use its whole role. `before` prepares them with the rights of others. */
export type Work = Readonly<
  Record<string, { readonly before?: () => Promise<unknown>; readonly act: (given: never) => Promise<unknown> }>
>;

export const idempotencyHeaders = () => ({ 'idempotency-key': crypto.randomUUID() });

/** The answer to a request, which must succeed. */
export async function answered(request: string, options: Call): Promise<Answer> {
  const answer = await call(request, options);
  expect({ request, status: answer.status, text: answer.status < 300 ? '' : answer.text }).toMatchObject({ text: '' });
  return answer;
}

/** Creates a workspace for the first function that needs it. */
export function shared<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}

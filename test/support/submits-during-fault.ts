import { expect } from '@jest/globals';
import type { Answer } from './call.ts';
import type { MailSink } from './mail-sink.ts';
import { advanceUntilDue, deliverJobs, pendingJobs, sweep } from './mail-work.ts';
import { timed } from './spent-time.ts';

/** Requires that a fault of the mail service does not change or delay an answer to a submit, and loses no mail. */
export async function requireUndisturbedSubmits(
  sink: MailSink,
  fault: Parameters<MailSink['plan']>[0],
  submit: () => Promise<Answer>,
): Promise<void> {
  const usual = await submit();
  await deliverJobs(await pendingJobs());
  sink.heal();
  sink.plan(fault);
  const { result, waited } = await timed(async () => {
    const answer = await submit();
    return [answer, deliverJobs(await pendingJobs()), await submit()] as const;
  });
  expect(waited).toBeLessThan(3_000);
  const [answer, delivery, during] = result;
  for (const { status, text } of [answer, during]) {
    expect({ status, text }).toEqual({ status: 200, text: usual.text });
  }
  await delivery;
  expect(sink.mails).toEqual([]);
  sink.heal();
  await advanceUntilDue();
  await sweep();
  expect(sink.mails.map(({ text }) => text.match(/res_\w+/)?.[0]).sort()).toEqual(
    [answer, during].map(({ headers }) => headers['x-form-response-id']).sort(),
  );
}

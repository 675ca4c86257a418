import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Mailer } from '#lib/mail/mailer.ts';
import { MailRefused, MailUnavailable } from '#lib/mail/message.ts';
import { MailSink } from '#test/support/mail-sink.ts';

let sink: MailSink;

beforeAll(async () => {
  sink = await MailSink.start();
});

afterAll(() => sink.stop());

const message = {
  replyTo: undefined,
  to: 'owner@example.com',
  subject: 'Contact',
  text: 'Hello',
  html: '<p>Hello</p>',
};

const unverified =
  'Email address is not verified. The following identities failed the check in region EU-WEST-1: orders@saffron.example';

it.each([
  ['BadRequestException', 'Illegal address', MailRefused],
  ['MessageRejected', 'Message contains a virus', MailRefused],
  // The operator may verify the sender, or leave the sandbox, during the retries.
  ['MessageRejected', unverified, MailUnavailable],
  ['NotFoundException', 'Configuration set <main> does not exist.', MailUnavailable],
  ['AccessDeniedException', 'User is not authorized to perform ses:SendEmail', MailUnavailable],
  ['SendingPausedException', 'Email sending is disabled', MailUnavailable],
  ['MailFromDomainNotVerifiedException', 'Mail from domain not verified.', MailUnavailable],
])('The refusal %s (%s) of SES is %p', async (type, reason, expected) => {
  sink.plan({ kind: 'error', type, status: 400, message: reason });
  const sent = new Mailer('orders@saffron.example').send(message, AbortSignal.timeout(10_000));
  await expect(sent).rejects.toThrow(expected);
  await expect(sent).rejects.toThrow(`${type}: ${reason}`);
});

it('a mail declares that a program has written it', async () => {
  sink.heal();
  await new Mailer('orders@saffron.example').send(message, AbortSignal.timeout(10_000));
  expect(sink.headers).toEqual([{ Name: 'Auto-Submitted', Value: 'auto-generated' }]);
});

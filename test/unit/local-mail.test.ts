import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type SentMail, startMail } from '#lib/local/mail-service.ts';

const service = await startMail('OURS');
const { mailbox } = service;

afterAll(() => service.stop());

beforeEach(mailbox.empty);

const message = (change: Partial<SendEmailCommandInput> = {}): SendEmailCommandInput => ({
  FromEmailAddress: 'forms@example.com',
  Destination: { ToAddresses: ['owner@example.com'] },
  ReplyToAddresses: ['guest@example.org'],
  Content: { Simple: { Subject: { Data: 'مرحبا' }, Body: { Text: { Data: 'Text' }, Html: { Data: '<p>' } } } },
  ...change,
});

function send(input: SendEmailCommandInput, accessKeyId = 'OURS') {
  const { endpoint } = service;
  const credentials = { accessKeyId, secretAccessKey: 'local' };
  return new SESv2Client({ endpoint, region: 'us-east-1', credentials }).send(new SendEmailCommand(input));
}

describe('the local stand-in for Amazon SES', () => {
  it('accepts the mails of the SDK and puts them into the mailbox', async () => {
    expect(await send(message())).toMatchObject({ MessageId: expect.stringMatching(/\w/) });
    expect(mailbox.read()).toEqual([
      {
        from: 'forms@example.com',
        to: ['owner@example.com'],
        replyTo: 'guest@example.org',
        subject: 'مرحبا',
        text: 'Text',
        html: '<p>',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ]);
  });

  it.each<[string, Partial<SendEmailCommandInput>]>([
    ['without a sender', { FromEmailAddress: undefined }],
    ['without a recipient', { Destination: { ToAddresses: [] } }],
    ['to more than 50', { Destination: { ToAddresses: Array(51).fill('a@b.co') } }],
    ['with a line break in an address', { ReplyToAddresses: ['a@b.co\nBcc: c@d.co'] }],
    ['without content', { Content: undefined }],
  ])('refuses a message %s', async (_, change) => {
    await expect(send(message(change))).rejects.toMatchObject({ name: 'BadRequestException' });
    expect(mailbox.read()).toEqual([]);
  });

  it('refuses requests without the credentials of this run', async () => {
    await expect(send(message(), 'OTHER')).rejects.toMatchObject({ name: 'AccessDeniedException' });
    const bare = await fetch(`${service.endpoint}/v2/email/outbound-emails`, { method: 'POST', body: '{}' });
    expect(bare.status).toBe(403);
    expect(mailbox.read()).toEqual([]);
  });
});

describe('the mailbox', () => {
  const mail = (subject: string, text = ''): SentMail => ({
    from: 'a@b.co',
    to: ['c@d.co'],
    replyTo: null,
    subject,
    text,
    html: '',
    at: '2026-01-01T00:00:00.000Z',
  });

  it('keeps the newest thousand', () => {
    for (let number = 1; number <= 1_005; number++) mailbox.add(mail(String(number)));
    expect(mailbox.read()).toHaveLength(1_000);
    expect(mailbox.read()[0]?.subject).toBe('6');
    expect(mailbox.read().at(-1)?.subject).toBe('1005');
  });

  it('keeps fewer of large ones, so that its memory is bounded', () => {
    for (let number = 1; number <= 100; number++) mailbox.add(mail(String(number), 'x'.repeat(1_048_576)));
    expect(mailbox.read().length).toBeLessThan(40);
    expect(mailbox.read().at(-1)?.subject).toBe('100');
  });
});

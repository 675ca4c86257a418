import { afterAll, expect, it } from '@jest/globals';
import { openAccess } from '#test/support/access-kitchen.ts';
import { call } from '#test/support/call.ts';
import { MailSink } from '#test/support/mail-sink.ts';

const { admin } = await openAccess();
const mail = await MailSink.start();
process.env['PUBLIC_URL'] = 'https://api.saffron.example';
afterAll(() => mail.stop());

it('An invitation is 503 while the mail service hangs, and is sent afterwards', async () => {
  const members = '/api/v1/manage/members';
  const body = { name: 'Guest', email: 'guest@example.com' };
  const { id } = (await call(`POST ${members}`, { key: admin, body })).json;
  const invite = () => call(`POST ${members}/${id}/invite`, { key: admin });
  mail.plan({ kind: 'hang' });
  expect(await invite()).toMatchObject({ status: 503, json: { code: 'unavailable' }, headers: { 'retry-after': '1' } });
  mail.heal();
  expect((await invite()).status).toBe(204);
});

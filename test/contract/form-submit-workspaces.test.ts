import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { field, form, pathOf, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import type { Document } from '#test/support/world.ts';

/** Both have the same ids and slugs; every text has the canary of its workspace. */
function fill({ workspace: { name: canary }, forms }: Document): void {
  forms[0].title = { en: canary };
  forms[0].notifications = { emails: [`${canary}@example.com`] };
  forms[0].fields[0].validations = { required: true, maxLength: 200, message: { en: `Wrong, says ${canary}.` } };
}

const contact = form('contact', [field('name', 'TEXT')]);
const own = await openWorkspace('forms', withForms([contact, form('ours', [])], fill));
const other = await openWorkspace('forms', withForms([contact, form('theirs', [])], fill));

describe('two workspaces with the same ids and slugs', () => {
  it('answer each key with the form of its workspace', async () => {
    for (const [mine, theirs] of [
      [own, other],
      [other, own],
    ] as const) {
      const answers = [await mine.read('contact'), await mine.submit('contact', { name: 'x'.repeat(201) })];
      expect(answers.map(({ status }) => status)).toEqual([200, 400]);
      for (const { text } of answers) {
        expect(text).toContain(mine.canary);
        expect(text).not.toContain(theirs.canary);
      }
    }
  });

  it('store their own responses, notifications and mails, even with the same Idempotency-Key', async () => {
    const once = { 'idempotency-key': 'k' };
    const answers = [
      await own.submit('contact', { name: own.canary }, once),
      await other.submit('contact', { name: other.canary }, once),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const [index, mine] of [own, other].entries()) {
      const { responses, notifications, mailJobs } = await mine.stored();
      expect(responses).toMatchObject([
        { id: answers[index]?.headers['x-form-response-id'], answers: { name: mine.canary } },
      ]);
      expect(notifications).toMatchObject([{ formResponseId: responses[0].id }]);
      expect(mailJobs).toMatchObject([{ recipient: `${mine.canary}@example.com`, responseId: responses[0].id }]);
    }
  });

  it('answer for records of the other workspace as for unknown ones, byte for byte', async () => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      const [theirs, none] = await Promise.all(
        ['theirs', 'nobodys'].map((slug) => call(`${method} ${pathOf(slug)}?apiKey=${own.key}`, { body: {} })),
      );
      const { 'x-request-id': _, ...headers } = theirs?.headers ?? {};
      expect(none).toMatchObject({ status: 404, text: theirs?.text, headers });
    }
    expect((await own.submit('ours', {})).status).toBe(200);
  });
});

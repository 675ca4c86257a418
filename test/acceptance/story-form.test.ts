import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '#test/support/target.ts';

// A guest writes to the restaurant through the contact form.

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});

const address = (slug: string) => `${target.url}/api/public/forms/${slug}?apiKey=${target.keys.site}`;

const answers = {
  name: 'Huda',
  email: 'huda@guest.example',
  subject: 'visit',
  message: 'Is there a table by the window on Friday?',
  consent: true,
};

async function submit(slug: string, body: object, idempotencyKey: string = randomUUID()) {
  const answer = await fetch(address(slug), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
  });
  const { status, headers } = answer;
  return { status, json: (await answer.json()) as object, responseId: headers.get('x-form-response-id') };
}

describe('a guest', () => {
  it('finds the form with its fields in order', async () => {
    const form = await fetch(address('contact'));
    expect(form.status).toBe(200);
    const { fields } = (await form.json()) as { fields: { order: number }[] };
    const orders = fields.map(({ order }) => order);
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
  });

  it('sends it twice with one idempotency key, and it is stored once', async () => {
    const key = randomUUID();
    const first = await submit('contact', answers, key);
    expect(first).toEqual({
      status: 200,
      json: { message: 'Submited form successfully.' },
      responseId: expect.stringMatching(/.+/),
    });
    expect(await submit('contact', answers, key)).toEqual(first);
    expect(await submit('contact', { ...answers, name: 'Somebody else' }, key)).toMatchObject({ status: 422 });
  });

  it('gets the invalid answers, and 404 for a closed form', async () => {
    const { email: _, ...rest } = answers;
    expect(await submit('contact', { ...rest, subject: 'gossip' })).toMatchObject({
      status: 400,
      json: { code: 'validation_failed' },
    });
    expect(await submit('catering', {})).toMatchObject({ status: 404, json: { message: 'Form not found.' } });
  });
});

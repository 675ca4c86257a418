import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ReplyEvent } from '#lib/messaging/reply-event.ts';
import { ReplyMailbox } from '#lib/messaging/reply-mailbox.ts';
import { replyFrames, silenceMillisecondsMax } from '#lib/messaging/stream-reply.ts';
import { fc } from '#test/support/fast-check.ts';

const eventOf = (frame: string): ReplyEvent => JSON.parse(frame.slice('data: '.length));

async function events(mailbox: ReplyMailbox): Promise<ReplyEvent[]> {
  return (await Array.fromAsync(replyFrames(mailbox))).map(eventOf);
}

describe('a reply that is read while it gathers', () => {
  it('is the same in all its events', async () => {
    const mailbox = new ReplyMailbox();
    const reading = events(mailbox);
    for (const piece of ['Hello', ', ', 'wor', 'ld', '!']) {
      mailbox.push(piece);
      await pause(30);
    }
    mailbox.close({ type: 'done', messageId: 'm', text: mailbox.text });
    const all = await reading;
    const deltas = all.filter((event) => event.type === 'delta');
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ delta }) => delta).join('')).toBe('Hello, world!');
    expect(deltas.at(-1)?.text).toBe('Hello, world!');
    for (const [index, { delta, text }] of deltas.entries()) expect(text).toBe((deltas[index - 1]?.text ?? '') + delta);
    expect(all.at(-1)).toEqual({ type: 'done', messageId: 'm', text: 'Hello, world!' });
  });

  it('is one delta and its end, when it is there already', async () => {
    const mailbox = new ReplyMailbox();
    mailbox.push('All of it.');
    mailbox.close({ type: 'done', messageId: 'm', text: 'All of it.' });
    expect((await events(mailbox)).map(({ type }) => type)).toEqual(['delta', 'done']);
  });

  it('ends immediately with an error, and only the first end counts', async () => {
    const mailbox = new ReplyMailbox();
    mailbox.push('half');
    mailbox.close({ type: 'error', error: 'no' });
    mailbox.close({ type: 'done', messageId: 'm', text: 'half' });
    expect((await events(mailbox)).at(-1)).toEqual({ type: 'error', error: 'no' });
  });

  it('does not wait for its reader', async () => {
    const mailbox = new ReplyMailbox();
    const frames = replyFrames(mailbox);
    mailbox.push('a');
    await frames.next();
    for (let index = 0; index < 1_000; index++) mailbox.push('b');
    mailbox.close({ type: 'done', messageId: 'm', text: mailbox.text });
    expect((await Array.fromAsync(frames)).map(eventOf).map(({ type }) => type)).toEqual(['delta', 'done']);
  });

  it('sends a ping after a silence, by default of 10 s', async () => {
    expect(silenceMillisecondsMax).toBe(10_000);
    const frames = replyFrames(new ReplyMailbox(), 200);
    const before = performance.now();
    expect((await frames.next()).value).toBe(': ping\n\n');
    expect((await frames.next()).value).toBe(': ping\n\n');
    expect(performance.now() - before).toBeGreaterThan(390);
  });
});

describe('the text of a reply', () => {
  const textsOf = async (pieces: readonly string[]): Promise<string[]> => {
    const mailbox = new ReplyMailbox();
    const reading = events(mailbox);
    for (const piece of pieces) {
      mailbox.push(piece);
      await pause(0);
    }
    mailbox.complete();
    const { text } = mailbox;
    mailbox.close({ type: 'done', messageId: 'm', text });
    const deltas = (await reading).filter((event) => event.type === 'delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe(text);
    return [text, ...deltas.map(({ delta }) => delta)];
  };

  it('is well-formed, and does not depend on where it was cut', async () => {
    const units = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 30 });
    const texts = fc.oneof(units, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(20), { maxLength: 4 }), async (text, cuts) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const found = await textsOf(places.slice(1).map((end, index) => text.slice(places[index], end)));
        expect(found[0]).toBe(text.trimStart().toWellFormed());
        expect(found.filter((piece) => !piece.isWellFormed())).toEqual([]);
      }),
    );
  });

  it('has no white space before its first word', async () => {
    expect((await textsOf(['\n', ' ', 'ab\t\r\nc', ' ']))[0]).toBe('ab\t\r\nc ');
    expect((await textsOf([' \n ']))[0]).toBe('');
    expect((await textsOf(['a\ud83d', '\ude00', '\ud83d', 'x']))[0]).toBe('a😀\ufffdx');
  });
});

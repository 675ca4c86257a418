import { describe, expect, it } from '@jest/globals';
import { eventData } from '#lib/client/event-data.ts';
import { fc } from '#test/support/fast-check.ts';

const read = (pieces: readonly string[]): Promise<unknown[]> => {
  const body = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
  return Array.fromAsync(eventData(new Response(body)), (data) => JSON.parse(data));
};

describe('the data of events', () => {
  const events = [
    { type: 'delta', text: 'أهلًا\nبك' },
    { type: 'delta', text: 'data: {"type":"done"}' },
    { type: 'done', messageId: 'm', text: '' },
  ];
  const stream = [': ping', '', ...events.flatMap((event) => [`data: ${JSON.stringify(event)}`, ''])].join('\n');

  it('is the same however the text is cut', async () => {
    const cuts = fc.array(fc.nat(stream.length)).map((places) => [0, ...places.sort((a, b) => a - b), stream.length]);
    await fc.assert(
      fc.asyncProperty(cuts, fc.constantFrom('\n', '\r\n'), async (places, end) => {
        const pieces = places.slice(1).map((place, index) => stream.slice(places[index], place));
        const sent = [...pieces.map((piece) => piece.replaceAll('\n', end)), end];
        expect(await read(sent)).toEqual(events);
      }),
    );
  });

  it('comes when the blank line is there, without comments and other fields', async () => {
    const begun = ['event: x\nid: 1\n: ping\n\ndata:{"type":\n', 'data: "done"}\n'];
    expect(await read(begun)).toEqual([]);
    expect(await read([...begun, '\n\n'])).toEqual([{ type: 'done' }]);
  });

  it('tells of each piece, and ends with the stream', async () => {
    let pieces = 0;
    const response = new Response(ReadableStream.from([': ping\n\n', 'data: 1']).pipeThrough(new TextEncoderStream()));
    expect(await Array.fromAsync(eventData(response, () => void pieces++))).toEqual([]);
    expect(pieces).toBe(2);
    expect(await Array.fromAsync(eventData(new Response(null)))).toEqual([]);
  });
});

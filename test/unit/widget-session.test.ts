import { afterEach, describe, expect, it } from '@jest/globals';
import { Interrupted, Refused } from '#lib/widget/chat/failures.ts';
import { type Lock, SessionKeeper } from '#lib/widget/chat/session-keeper.ts';
import { Store } from '#lib/widget/chat/store.ts';
import { newStorage, type Respond, sessionNamed, startWidgetService } from '#test/support/widget-service.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const unlocked: Lock = (work) => work();

async function sessionKeeper(respond: Respond, store = new Store(newStorage(), 'x'), lock = unlocked) {
  const { url, heard, stop } = await startWidgetService(respond);
  stops.push(stop);
  return { keeper: new SessionKeeper(store, `${url}/chat-session`, lock), heard, store };
}

describe('the session of a visitor', () => {
  it('is requested one time with {}, and stored', async () => {
    const { keeper, heard, store } = await sessionKeeper(() => [201, sessionNamed('one')]);
    const sessions = await Promise.all([keeper.open(), keeper.open()]);
    expect([...sessions, await keeper.open()]).toEqual(Array(3).fill(sessionNamed('one')));
    expect(heard.map(({ call, body }) => [call, body])).toEqual([['POST /chat-session', {}]]);
    expect(heard[0]?.headers['content-type']).toBe('application/json');
    expect(store.read().session).toEqual(sessionNamed('one'));
  });

  it('is renewed when its token is refused, at any time', async () => {
    const tokens = ['1', '2'];
    const { keeper, heard } = await sessionKeeper(() => [201, sessionNamed(tokens.shift() ?? '')]);
    await keeper.open();
    expect((await Promise.all([keeper.open('1'), keeper.open('1')])).map(({ token }) => token)).toEqual(['2', '2']);
    expect((await keeper.open()).token).toBe('2');
    expect(heard.map(({ body }) => body)).toEqual([{}, { renew: '1' }]);
  });

  it('is a new one with {} after a 404', async () => {
    const { keeper, heard } = await sessionKeeper(({ body }) =>
      body.renew ? [404] : [201, sessionNamed('new', 'conv_2')],
    );
    await keeper.open();
    expect((await keeper.open('new')).conversationId).toBe('conv_2');
    expect(heard.map(({ body }) => body)).toEqual([{}, { renew: 'new' }, {}]);
  });

  it('is not there when its answer breaks off, and asked for again by the next call', async () => {
    let calls = 0;
    const { keeper } = await sessionKeeper((_, response) => {
      if (calls++ > 0) return [201, sessionNamed('one')];
      response.writeHead(201, { 'content-type': 'application/json' });
      response.write('{"token":', () => response.destroy());
      return undefined;
    });
    await expect(keeper.open()).rejects.toThrow(Interrupted);
    expect((await keeper.open()).token).toBe('one');
  });

  it('is the session that another tab has renewed concurrently', async () => {
    const store = new Store(newStorage(), 'x');
    store.change(() => ({ session: sessionNamed('old') }));
    const otherTab: Lock = (work) => {
      store.change(() => ({ session: sessionNamed('of the other tab') }));
      return work();
    };
    const { keeper, heard } = await sessionKeeper(() => [201, sessionNamed('own')], store, otherTab);
    expect((await keeper.open('old')).token).toBe('of the other tab');
    expect(heard).toEqual([]);
  });

  it.each([
    [503, Interrupted],
    [429, Interrupted],
    [404, Refused],
    [403, Refused],
    [200, Refused],
  ])('is not there after a %i, and asked for again by the next call', async (status, failure) => {
    const answers: [number, unknown?][] = [[status], [201, sessionNamed('one')]];
    const { keeper } = await sessionKeeper(() => answers.shift());
    await expect(keeper.open()).rejects.toThrow(failure);
    expect((await keeper.open()).token).toBe('one');
  });

  it('is not there without a connection', async () => {
    const { keeper } = await sessionKeeper((_, response) => void response.destroy());
    await expect(keeper.open()).rejects.toThrow(Interrupted);
  });
});

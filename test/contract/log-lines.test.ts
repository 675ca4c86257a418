import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { streamPath } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import {
  admin,
  entries,
  forms,
  itHidesKeys,
  itHidesSecretsOfOthers,
  itKeepsLinesWhole,
  model,
  room,
} from './hostile-lines.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a line.
type Line = any;

const linesOf = async (work: () => Promise<unknown>): Promise<Line[]> =>
  (await capturedLines(work)).map((line) => JSON.parse(line));

// log-lines.long.test.ts tries all callers and all kinds of keys.
describe('log lines', () => {
  const { keys } = forms;
  itKeepsLinesWhole({
    'line ends': 'a\r\nb\nc\u0085d\u2028e\u2029f {"level":"error"}',
    'escape sequences': '\u001b[2J\u001b]0;title\u0007\u009b31mred',
    'direction marks and halves of pairs': '\u202eabc\u2066\u2069\ud800',
  });
  itKeepsLinesWhole({ 'a hundred kilobytes': 'x'.repeat(100_000) }, ['admin']);
  itHidesKeys([keys.editor, keys.revoked, room.key, 'wsk_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ']);
  itHidesSecretsOfOthers(['admin', 'nobody']);

  it('contain no secret of an answer', async () => {
    const secrets: string[] = [];
    const manage = '/api/v1/manage/api-keys';
    const lines = await capturedLines(async () => {
      const made = await call(`POST ${manage}`, { key: admin, body: { name: 'New', permissions: ['cms:entry:read'] } });
      const rotated = await call(`POST ${manage}/${made.json.id}/rotate`, { key: admin, body: { graceSeconds: 60 } });
      secrets.push(made.json.secret, rotated.json.secret);
      for (const key of secrets) expect((await call(`GET ${entries}/list`, { key })).status).toBe(200);
    });
    expect(secrets).toEqual(Array(2).fill(expect.stringMatching(/^wsk_/)));
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of lines) for (const secret of [admin, ...secrets]) expect(line).not.toContain(secret);
  });

  it('log lines of a failure contain its cause, but neither the key nor the text of the request', async () => {
    const { TABLE_NAME } = process.env;
    const lines = await capturedLines(async () => {
      process.env['TABLE_NAME'] = `no-such-table-${forms.keys.reader}`;
      const { status } = await call(`GET ${entries}/list`, { key: forms.keys.reader });
      expect(status).toBeGreaterThanOrEqual(500);
      process.env['TABLE_NAME'] = TABLE_NAME;
    });
    const [failure, request] = lines.map((line) => JSON.parse(line));
    expect(failure).toMatchObject({
      level: 'error',
      causes: expect.arrayContaining([expect.objectContaining({ stack: expect.any(String) })]),
    });
    expect(request).toMatchObject({ level: 'error', Status5xx: 1 });
    expect(lines.join('\n')).not.toContain(forms.keys.reader);
  });
});

describe('the line of a request', () => {
  const { stringMatching } = expect;

  it('contains the request id of the answer, the caller, the key and the metrics of the route', async () => {
    let id = '';
    const [line, ...others] = await linesOf(async () => {
      const { headers } = await call(`GET ${entries}/list`, { key: forms.keys.reader });
      id = headers['x-request-id'] ?? '';
    });
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      level: 'info',
      requestId: id,
      route: '/api/public/cms/{modelId}/list',
      method: 'GET',
      caller: stringMatching(/^[0-9a-f]{16}$/),
      workspaceId: forms.workspaceId,
      keyId: 'key_reader',
      status: 200,
      Latency: expect.any(Number),
      Status2xx: 1,
      ReadUnits: line.dynamodb.readUnits,
      WriteUnits: 0,
    });
    expect(line.ReadUnits).toBeGreaterThan(0);
    expect(Object.keys(line)).not.toEqual(expect.arrayContaining(['AiTokens']));
  });

  it.each(['revoked', 'expired', 'formerMember'] as const)(
    'the line of a 401 names the key that is %s',
    async (name) => {
      const [line] = await linesOf(() => call(`GET ${entries}/list`, { key: forms.keys[name] }));
      const { workspaceId } = forms;
      expect(line).toMatchObject({ status: 401, code: 'invalid_api_key', keyId: `key_${name}`, workspaceId });
      expect(line.dynamodb.readUnits).toBeLessThanOrEqual(1);
    },
  );

  it('the line of a 401 does not name an unknown key', async () => {
    const [line] = await linesOf(() => call(`GET ${entries}/list`, { key: 'nobody-has-ever-had-this-key' }));
    expect(line).toMatchObject({ status: 401, caller: stringMatching(/^[0-9a-f]{16}$/) });
    expect(line.keyId).toBeUndefined();
  });

  it('has the same caller for equal addresses, without the address', async () => {
    const lines = await linesOf(async () => {
      await call(`GET ${entries}/list`, { key: forms.keys.reader });
      await call('GET /nowhere', { headers: { 'x-forwarded-for': '203.0.113.7' } });
    });
    expect(lines[0].caller).toBe(lines[1].caller);
    expect(JSON.stringify(lines)).not.toMatch(/127\.0\.0\.1|203\.0\.113\.7/);
  });

  it('names the entry of an update, the response of a submit and the files of an upload and a download', async () => {
    const { editor, reader } = forms.keys;
    let responseId = '';
    let files: { id: string; url: string }[] = [];
    const multipart =
      '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhi\r\n--x--\r\n';
    const lines = await linesOf(async () => {
      await call(`PATCH ${entries}/chef_1`, { key: editor, body: { values: {} } });
      const submit = await call(`POST /api/public/forms/contact?apiKey=${reader}`, { body: { name: 'Huda' } });
      responseId = submit.headers['x-form-response-id'] ?? '';
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      const upload = await call('POST /api/v1/connect/attachments', { key: room.key, headers, body: multipart });
      files = upload.json.files;
      const { pathname } = new URL(files[0]?.url ?? '', 'http://127.0.0.1');
      await call(`GET ${pathname}`, { key: room.key });
    });
    expect(lines).toMatchObject([
      { modelId: 'chefs', entryId: 'chef_1' },
      { formId: 'form_contact', responseId },
      { attachmentIds: [files[0]?.id] },
      { attachmentId: files[0]?.id },
    ]);
  });

  it.each([
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later', undefined],
    ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', undefined],
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', undefined],
    ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', undefined],
    ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', undefined],
    ['anything', undefined],
  ])('has the trace of the header traceparent: %s', async (traceparent, traceId) => {
    const [line] = await linesOf(() => call('GET /nowhere', { headers: { traceparent } }));
    expect(line.traceId).toBe(traceId);
  });
});

describe('the lines of an AI reply', () => {
  it('count its tokens, and the trace reaches the model', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const body = { agentId: 'agent_1', conversationId: 'conv_1', lastMessageId: 'msg_3' };
    model.answer({ say: ['Hello.'] });
    const lines = await linesOf(() => call(streamPath, { key: room.key, headers: { traceparent }, body }));
    const [reply, request] = lines;
    expect(reply).toMatchObject({ level: 'info', message: expect.stringContaining('language model') });
    expect(request).toMatchObject({ status: 200, AiTokens: 18, conversationId: 'conv_1', agentId: 'agent_1' });
    expect(request.AiReplyFailures).toBeUndefined();
    const sent = String(model.calls[0]?.headers['traceparent']);
    expect(sent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/);
    expect(sent).not.toBe(traceparent);
  });

  it('are errors and count as failures when it failed, although the status is 200', async () => {
    model.answer({ status: 401 });
    const body = { agentId: 'agent_1', conversationId: 'conv_1', lastMessageId: 'msg_1' };
    const [reply, request] = await linesOf(() => call(streamPath, { key: room.key, body }));
    expect(reply).toMatchObject({ level: 'error', message: 'A reply failed.', failure: 'auth' });
    expect(request).toMatchObject({ status: 200, Status2xx: 1, AiReplyFailures: 1 });
  });

  it('about an exceeded limit are warnings, not failures', async () => {
    process.env['AI_TOKENS_PER_DAY'] = '1';
    model.answer({ say: ['Hello.'] });
    const own = await openWorkspace('chat');
    const lines = await linesOf(async () => {
      await own.ask();
      await own.ask({ lastMessageId: 'msg_1' });
    });
    delete process.env['AI_TOKENS_PER_DAY'];
    expect(lines.at(-2)).toMatchObject({ level: 'warn', failure: 'used_up' });
    expect(lines.at(-1).AiReplyFailures).toBeUndefined();
  });
});

it('without metrics of routes a line says the same, in at most 700 bytes', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const work = async () => {
    await call(`GET ${entries}/list`, { key: forms.keys.reader, headers: { traceparent } });
    await room.ask({ lastMessageId: 'msg_1' });
    await call(`PATCH ${entries}/nobody`, { key: forms.keys.editor, headers: { traceparent }, body: { values: {} } });
  };
  process.env['ROUTE_METRICS'] = 'off';
  const lines = await linesOf(work);
  const lean = lines[0];
  delete process.env['ROUTE_METRICS'];
  const [full] = await linesOf(work);
  const { _aws, Latency, Status2xx, ReadUnits, WriteUnits, ...rest } = full;
  expect(_aws).toBeDefined();
  expect(lines.map((line) => JSON.stringify(line).length).filter((bytes) => bytes > 700)).toEqual([]);
  expect(Object.keys(lean)).toEqual(Object.keys(rest));
  expect([Latency, Status2xx, ReadUnits, WriteUnits]).toEqual([full.milliseconds, 1, expect.any(Number), 0]);
});

/** Checks the rules of the published schema of the embedded metric format. @returns the broken rules */
function metricFaults(line: Line): string[] {
  const { _aws: metadata } = line;
  const faults: string[] = [];
  const must = (holds: boolean, rule: string) => void (holds || faults.push(rule));
  const isText = (text: unknown, max: number) => typeof text === 'string' && text.length >= 1 && text.length <= max;
  must(Number.isInteger(metadata?.Timestamp), 'Timestamp is an integer');
  must(Array.isArray(metadata?.CloudWatchMetrics), 'CloudWatchMetrics is an array');
  for (const { Namespace, Dimensions, Metrics } of metadata?.CloudWatchMetrics ?? []) {
    must(isText(Namespace, 1_024), 'Namespace is a text');
    must(Array.isArray(Dimensions) && Dimensions.length >= 1, 'Dimensions has a set');
    for (const set of Dimensions) {
      must(Array.isArray(set) && set.length <= 30, 'a dimension set has at most 30 members');
      for (const name of set) must(isText(name, 250) && isText(line[name], 1_024), 'a dimension names a text');
    }
    must(Array.isArray(Metrics) && Metrics.length >= 1 && Metrics.length <= 100, 'there are 1 to 100 metrics');
    for (const { Name, Unit, ...rest } of Metrics) {
      must(isText(Name, 1_024), 'a metric has a name');
      must(Unit === (Name === 'Latency' ? 'Milliseconds' : undefined), 'a time has its unit');
      must(Object.keys(rest).length === 0, 'a metric has no other members');
      must(typeof line[Name] === 'number' && Number.isFinite(line[Name]), 'a metric names a number');
    }
  }
  return faults;
}

it('metrics follow the rules of the embedded metric format for every kind of answer', async () => {
  const { reader, editor } = forms.keys;
  const lines = await linesOf(async () => {
    await call(`GET ${entries}/list`, { key: reader });
    await call(`GET ${entries}/list`);
    await call(`PATCH ${entries}/nobody`, { key: editor, body: { values: {} } });
    await call('GET /nowhere');
    await call('GET /docs');
    await room.ask({ lastMessageId: 'msg_2' });
  });
  const measured = lines.filter(({ _aws: metadata }) => metadata);
  expect(measured.length).toBe(6);
  expect(measured.flatMap(metricFaults)).toEqual([]);
  expect(new Set(measured.map(({ _aws: { CloudWatchMetrics } }) => CloudWatchMetrics[0].Namespace))).toEqual(
    new Set(['WorkspaceApi']),
  );
  expect(measured.map(({ Status2xx, Status4xx }) => [Status2xx, Status4xx])).toContainEqual([undefined, 1]);
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { formBody } from '#test/support/multipart.ts';
import { LocalService } from '#test/support/processes.ts';

const services: LocalService[] = [];
afterAll(() => Promise.all(services.map((service) => service.stop())));

async function start(...options: string[]): Promise<string> {
  const service = await LocalService.start(...options);
  services.push(service);
  return service.url;
}

const key = { authorization: 'Bearer saffron-desk-key-0000000000' };
const bytesOf = (size: number) => Buffer.alloc(size, 'menu\r\n');
const sizes = [0, 1, 6_291_456, 26_214_400];
const form = (size: number) => formBody([{ filename: 'menu.bin', bytes: bytesOf(size) }]);

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its answer.
type Json = any;

async function send(url: string, body: string | Buffer, headers: Record<string, string>) {
  const address = `${url}/api/v1/connect/attachments`;
  const response = await fetch(address, { method: 'POST', headers: { ...key, ...headers }, body });
  return { status: response.status, json: (await response.json()) as Json };
}

/** Announces a file and sends it to the bucket. */
async function sendDirectly(url: string, size: number): Promise<Json> {
  const announced = JSON.stringify({ files: [{ name: 'menu.bin', type: '', size }] });
  const [file] = (await send(url, announced, { 'content-type': 'application/json' })).json.files;
  const { method, url: target, headers } = file.upload;
  const put = await fetch(target, { method, headers, body: bytesOf(size) });
  expect(put.status).toBe(200);
  return file;
}

async function download(file: Json): Promise<Buffer> {
  const response = await fetch(file.url, { headers: key });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe('the local run', () => {
  it('takes files and gives them back at the address it names, byte for byte', async () => {
    const url = await start();
    for (const size of sizes) {
      const { headers, body } = form(size);
      const { status, json } = await send(url, body, headers);
      expect(status).toBe(200);
      expect(json.files[0].url.startsWith(`${url}/api/v1/connect/assets/workspaces/ws_saffron/`)).toBe(true);
      expect((await download(json.files[0])).equals(bytesOf(size))).toBe(true);
      expect((await download(await sendDirectly(url, size))).equals(bytesOf(size))).toBe(true);
    }
  });

  it('takes a body of exactly 130 MB and files of exactly 25 MB, and not one byte more', async () => {
    const url = await start();
    const file = { filename: 'menu.bin', bytes: bytesOf(26_214_400) };
    const files = Array(5).fill(file);
    const note = (size: number) => ({ name: 'note', bytes: Buffer.alloc(size, 'n') });
    const room = 136_314_880 - formBody([...files, note(0)]).body.length;
    const whole = formBody([...files, note(room)]);
    expect(whole.body.length).toBe(136_314_880);
    const taken = await send(url, whole.body, whole.headers);
    expect([taken.status, taken.json.files?.length]).toEqual([200, 5]);
    const over = formBody([...files, note(room + 1)]);
    expect(await send(url, over.body, over.headers)).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
    const large = form(26_214_401);
    expect(await send(url, large.body, large.headers)).toMatchObject({ status: 413, json: { code: 'file_too_large' } });
  });

  it('the local run with --limits aws accepts bodies that fit into an event, and names the alternative for others', async () => {
    const url = await start('--limits', 'aws');
    const small = form(4_000_000);
    const { json } = await send(url, small.body, small.headers);
    expect((await download(json.files[0])).equals(bytesOf(4_000_000))).toBe(true);
    for (const size of [4_700_000, 26_214_400]) {
      const { headers, body } = form(size);
      const refused = await send(url, body, headers);
      expect(refused).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
      expect(refused.json.message).toContain('application/json');
      await sendDirectly(url, size);
    }
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { openDataDirectory } from '#lib/local/data-directory.ts';
import { connect } from '#lib/workspace/command/connection.ts';

const { JAVA_HOME, PATH } = process.env;

afterEach(() => {
  Object.assign(process.env, { PATH, ...(JAVA_HOME !== undefined && { JAVA_HOME }) });
});

it('A command that cannot start the engine gives the data directory back', async () => {
  const data = await mkdtemp(join(tmpdir(), 'connection-'));
  await mkdir(join(data, 'dynamodb'));
  delete process.env['JAVA_HOME'];
  // It may not be run.
  await writeFile(join(data, 'java'), '');
  process.env['PATH'] = data;
  await expect(connect({ url: '', data })).rejects.toThrow('Java could not be started');
  await expect(openDataDirectory(data).then(({ release }) => release())).resolves.toBeUndefined();
  await rm(data, { recursive: true });
});

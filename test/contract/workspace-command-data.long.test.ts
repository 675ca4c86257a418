import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withoutTime } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { LocalService, runWorkspace } from '#test/support/processes.ts';

const workspaceId = newWorkspaceId();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workspace-command-data-'));
  await writeFile(join(folder, 'workspace.json'), JSON.stringify(everyKind(workspaceId)));
});

afterAll(() => rm(folder, { recursive: true }));

describe('--data', () => {
  it('changes the directory of a stopped service, and refuses that of a running one', async () => {
    const data = join(folder, 'data');
    const onData = (...args: string[]) => runWorkspace([...args, '--data', data]);
    const service = await LocalService.start('--data', data, '--workspace', join(folder, 'workspace.json'));
    const refused = await onData('list');
    const byUrl = await runWorkspace(['export', '--workspace', workspaceId, '--url', service.url]);
    expect(await service.stop()).toBe(0);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.errors).toMatch(/^The data directory .+ is in use by process \d+; stop that one first\.\n$/);

    expect(await onData('list')).toEqual({ code: 0, out: `${workspaceId}  Saffron  en,ar\n`, errors: '' });
    const copy = join(folder, 'copy.json');
    expect((await onData('export', copy, '--workspace', workspaceId)).code).toBe(0);
    expect(withoutTime(await readFile(copy, 'utf8'))).toBe(withoutTime(byUrl.out));
    const issued = await onData('key', 'rotate', 'key_site', '--workspace', workspaceId);
    const [secret = ''] = /wsk_\w{49}/.exec(issued.out) ?? [];
    // The rotation is an edit, which only `--yes` may undo.
    expect(await onData('import', copy)).toMatchObject({ code: 1, out: '' });
    expect((await onData('import', copy, '--yes')).out).toContain(': 1 change in ');
    expect((await onData('import', join(folder, 'missing.json'))).code).toBe(1);

    // The import has replaced the rotated key by that of the export.
    const again = await LocalService.start('--data', data, '--workspace', copy);
    const statuses = [siteSecret(workspaceId), secret].map(async (key) => {
      return (await fetch(`${again.url}/api/public/cms/dishes/list`, { headers: { 'x-api-key': key } })).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 401]);
    expect(await again.stop()).toBe(0);
  });
});

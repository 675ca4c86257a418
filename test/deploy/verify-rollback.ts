import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run } from '#test/support/run.ts';
import { step } from '#test/support/verification.ts';

// Lets an earlier version read what this one stores, as it would have to after a rollback (lib/infra/restore.md).

const project = fileURLToPath(new URL('../..', import.meta.url));
const stored = join(project, 'test/fixtures/stored/workspace.json');
const reading = 'test/contract/stored-form';

const [version = 'main'] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'verify-rollback-'));
try {
  await step(`check out ${version}`, () => checkOut(version));
  await step(`let ${version} read what this version stores`, readStored);
  console.log(`\nVerified: ${version} reads what this version stores as what it stores itself.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Takes the files of a commit, and its packages, which are ours if it pins the same. */
async function checkOut(commit: string): Promise<void> {
  // After --end-of-options, nothing is an option.
  const { stdout } = await promisify(execFile)(
    'git',
    ['rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`],
    {
      cwd: project,
    },
  );
  await mkdir(join(folder, 'version'));
  const archive = join(folder, 'version.tar');
  await run('git', ['archive', '--output', archive, stdout.trim()], { cwd: project });
  await run('tar', ['-xf', archive, '-C', join(folder, 'version')]);
  const pins = await Promise.all(
    [project, join(folder, 'version')].map((place) => readFile(join(place, 'package-lock.json'), 'utf8')),
  );
  if (pins[0] === pins[1]) await symlink(join(project, 'node_modules'), join(folder, 'version/node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: join(folder, 'version') });
}

async function readStored(): Promise<void> {
  const cwd = join(folder, 'version');
  if (!existsSync(join(cwd, `${reading}.test.ts`))) throw new Error(`${version} has no ${reading}.test.ts to run.`);
  const args = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', reading, '-t', 'this version reads'];
  await run(process.execPath, args, { cwd, env: { ...process.env, STORED_BY: stored } });
}

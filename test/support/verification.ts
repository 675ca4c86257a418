import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

/** What is verified with the help of a program from Python's package index. */
export interface Verification {
  /** The program and its exact version, as pip takes it. */
  readonly requirement: string;
  /** @param folder a temporary one, with the program in `venv/bin` @throws when something is not as it should be */
  verify(folder: string): Promise<void>;
}

/**
 * Installs the program into a virtual environment in a temporary folder, verifies, and leaves nothing behind. With
 * `--if-possible` on the command line it is no failure that the program cannot be installed.
 * @returns the exit code
 */
export async function verifyWithPython({ requirement, verify }: Verification): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  try {
    const isInstalled = await step(`install ${requirement} from the package index of Python`, () =>
      install(folder, requirement),
    ).then(
      () => true,
      (error: Error) => {
        console.log(`Not verified: this needs python3 with venv and pip, and the index.\n${error.message}`);
        return false;
      },
    );
    if (!isInstalled) return process.argv.includes('--if-possible') ? 0 : 1;
    await verify(folder);
    return 0;
  } catch (error) {
    console.error(error);
    return 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function install(folder: string, requirement: string): Promise<void> {
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  await run(join(folder, 'venv/bin/pip'), ['install', '--quiet', requirement]);
}

/** Says what is being done and how long it took. */
export async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  console.log(`\n${name} ...`);
  const startedAt = performance.now();
  const result = await work();
  const note = typeof result === 'string' && result.length < 100 ? `, ${result}` : '';
  console.log(`done in ${Math.round((performance.now() - startedAt) / 100) / 10} s${note}`);
  return result;
}

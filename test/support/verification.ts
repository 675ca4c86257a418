import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { retried, run } from './run.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** A check that needs a program from Python's package index. */
export interface Verification {
  /** Names the file in test/python that pins the program and all it needs. */
  readonly tools: string;
  /**
   * @param folder a temporary one, removed afterwards
   * @param programs the folder of the installed programs
   * @throws when the check fails
   */
  verify(folder: string, programs: string): Promise<void>;
}

/**
 * Installs the program and runs the verification.
 * @returns the exit code; also 1 when the installation fails, so that CI never passes without the check
 */
export async function verifyWithPython({ tools, verify }: Verification): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  try {
    const programs = await step(`install ${tools} from Python's package index`, () => installTools(tools));
    await verify(folder, programs);
    return 0;
  } catch (error) {
    console.error(error);
    return 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Installs what test/python/<tools>.txt pins into a virtual environment.
 * @returns the folder of its programs
 * @throws when python3 with venv is missing or the index cannot be reached
 */
async function installTools(tools: string): Promise<string> {
  const requirements = join(project, 'test/python', `${tools}.txt`);
  const folder = await installOnce(`python/${tools}`, requirements, async (folder) => {
    await run('python3', ['-m', 'venv', '--clear', folder]);
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--retries', '5', '--requirement', requirements]);
  }).catch((cause) => {
    const hint = `${tools} cannot be installed; this needs python3 with venv and pip, and Python's package index.`;
    throw new Error(hint, { cause });
  });
  return join(folder, 'bin');
}

/**
 * Installs below .build, unless it is there already.
 * @param pins the file with the exact versions
 * @returns the folder that `install` was given
 */
export async function installOnce(
  name: string,
  pins: string,
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(pins))
    .digest('hex');
  const folder = join(project, '.build', `${name}-${hash.slice(0, 12)}`);
  const mark = join(folder, 'installed');
  if (await readFile(mark).catch(() => undefined)) return folder;
  await retried(async () => {
    await install(folder);
    await writeFile(mark, pins);
  });
  return folder;
}

/** Prints the name and the duration of a step. */
export async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  console.log(`\n${name} ...`);
  const startedAt = performance.now();
  const result = await work();
  const note = typeof result === 'string' && result.length < 100 ? `, ${result}` : '';
  console.log(`done in ${Math.round((performance.now() - startedAt) / 100) / 10} s${note}`);
  return result;
}

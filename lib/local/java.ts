import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '#lib/domain/failure.ts';
import { settlesWithin } from './settles-within.ts';

const javaVersionMin = 17;
const charactersKept = 4_000;
const stopMillisecondsMaxDefault = 5_000;

export interface JavaProcess {
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<void>;
  /** Explains an unexpected end in a sentence for the terminal. */
  explainExit(): Promise<Failure>;
  /** Kills the process if it does not end in time. @returns whether it has ended without that */
  stop(): Promise<boolean>;
}

/** Starts java. It ends with this process, also when this process is killed. */
export async function spawnJava(
  args: readonly string[],
  stopMillisecondsMax = stopMillisecondsMaxDefault,
): Promise<JavaProcess> {
  // It has its own process group. Otherwise Ctrl-C would end the engine before the requests that still use it.
  const child = spawn(javaCommand(), args, { detached: true, windowsHide: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit').then(
    () => undefined,
    () => undefined,
  );
  const lastErrors = collectErrors(child);
  await once(child, 'spawn').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? javaMissing() : new Failure(`Java could not be started: ${error.message}`);
  });
  const watchdog = killWhenOrphaned(child.pid as number);
  const killAtExit = () => child.kill('SIGKILL') && watchdog.kill('SIGKILL');
  process.once('exit', killAtExit);
  void exited.then(() => {
    process.off('exit', killAtExit);
    watchdog.kill('SIGKILL');
  });
  return {
    exited,
    stop: () => stop(child, exited, stopMillisecondsMax),
    explainExit: () => explainExit(child, lastErrors()),
  };
}

/** The program in JAVA_HOME, or the first one of the PATH. */
export function javaCommand(): string {
  const { JAVA_HOME: home, PATH: path = '' } = process.env;
  const folders = [...(home ? [join(home, 'bin')] : []), ...path.split(':')];
  return folders.map((folder) => join(folder, 'java')).find((file) => existsSync(file)) ?? 'java';
}

/** Reads all of stderr, because a full pipe would stop java. @returns a function that returns its last characters */
function collectErrors({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-charactersKept);
  });
  return () => text.trim();
}

/**
 * Starts a shell that ends the engine after this process. The shell's input ends with this process, even after SIGKILL.
 * The shell has its own process group, so that a signal to this group does not end it first.
 */
function killWhenOrphaned(pid: number): ChildProcess {
  const script = 'read -r _; for signal in TERM 0 0 0 KILL; do kill -s $signal "$1" 2>/dev/null || exit; sleep 1; done';
  const watchdog = spawn('sh', ['-c', script, 'sh', String(pid)], {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin?.on('error', () => undefined);
  watchdog.unref();
  return watchdog;
}

async function stop(child: ChildProcess, exited: Promise<void>, millisecondsMax: number): Promise<boolean> {
  child.kill('SIGTERM');
  const hasExited = await settlesWithin(millisecondsMax, exited);
  if (!hasExited) child.kill('SIGKILL');
  await exited;
  return hasExited;
}

/** Reads the version only after a failure, because that starts java again. */
async function explainExit(child: ChildProcess, lastErrors: string): Promise<Failure> {
  const version = await javaVersion();
  if (version === undefined) return javaMissing();
  if (version < javaVersionMin) {
    return new Failure(
      `The embedded DynamoDB needs Java ${javaVersionMin} or newer, and this is Java ${version}. ${howToInstall}`,
    );
  }
  const cause = child.signalCode ?? `exit code ${child.exitCode}`;
  return new Failure(`The embedded DynamoDB has ended (${cause}). Its last output: ${lastErrors || 'none'}`);
}

/** @returns the major version; `1.8.0_292` is 8 */
function javaVersion(): Promise<number | undefined> {
  return new Promise((resolve) => {
    execFile(javaCommand(), ['-version'], (error, stdout, stderr) => {
      const version = /version "(?:1\.)?(\d+)/.exec(`${stdout}${stderr}`)?.[1];
      resolve(error || version === undefined ? undefined : Number(version));
    });
  });
}

const howToInstall =
  'Install it with `sudo apt-get install openjdk-17-jre-headless` (Debian, Ubuntu), `sudo dnf install java-17-openjdk-headless` (Fedora) or `brew install openjdk@17` (macOS).';

function javaMissing(): Failure {
  return new Failure(
    `The embedded DynamoDB needs Java ${javaVersionMin} or newer, and no java command was found. ${howToInstall}`,
  );
}

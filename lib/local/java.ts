import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from './start-failure.ts';

const javaVersionMin = 17;
const charactersKept = 4_000;
const stopMillisecondsMax = 5_000;

export interface JavaProcess {
  /** Settles when the process has ended, for whatever reason. */
  readonly exited: Promise<void>;
  /** Why it ended without having been asked to, as a sentence for the person at the terminal. */
  explainExit(): Promise<StartFailure>;
  stop(): Promise<void>;
}

/** Starts java so that it never outlives this process, however this process ends. */
export async function spawnJava(args: readonly string[]): Promise<JavaProcess> {
  // Its own process group: Ctrl-C in a terminal would otherwise end the engine before the requests that still use it.
  const child = spawn(javaCommand(), args, { detached: true, windowsHide: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit').then(
    () => undefined,
    () => undefined,
  );
  const lastWords = keepComplaints(child);
  await once(child, 'spawn').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? javaMissing() : new StartFailure(`Java could not be started: ${error.message}`);
  });
  const watchdog = killWhenOrphaned(child.pid as number);
  const killAtExit = () => child.kill('SIGKILL') && watchdog.kill('SIGKILL');
  process.once('exit', killAtExit);
  void exited.then(() => {
    process.off('exit', killAtExit);
    watchdog.kill('SIGKILL');
  });
  return { exited, stop: () => stop(child, exited), explainExit: () => explainExit(child, lastWords()) };
}

function javaCommand(): string {
  const home = process.env['JAVA_HOME'];
  const inHome = home && join(home, 'bin', 'java');
  return inHome && existsSync(inHome) ? inHome : 'java';
}

/** Reads all complaints, because a full pipe would stop java, and keeps the end of them for the error message. */
function keepComplaints({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-charactersKept);
  });
  return () => text.trim();
}

/**
 * A shell that waits for the end of its input, which comes when this process is gone, even by SIGKILL, and then ends
 * the engine. It has a process group of its own, so that no signal to ours takes it away first.
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

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const patience = new AbortController();
  const tooLong = delay(stopMillisecondsMax, 'too long', { signal: patience.signal }).catch(() => undefined);
  if ((await Promise.race([exited, tooLong])) === 'too long') child.kill('SIGKILL');
  patience.abort();
  await exited;
}

/** The version is asked only after a failure, because asking costs a start of java. */
async function explainExit(child: ChildProcess, lastWords: string): Promise<StartFailure> {
  const version = await javaVersion();
  if (version === undefined) return javaMissing();
  if (version < javaVersionMin) {
    return new StartFailure(
      `The embedded DynamoDB needs Java ${javaVersionMin} or newer, and this is Java ${version}. ${howToInstall}`,
    );
  }
  const how = child.signalCode ?? `exit code ${child.exitCode}`;
  return new StartFailure(`The embedded DynamoDB ended by itself (${how}). Its last words: ${lastWords || 'none'}`);
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

function javaMissing(): StartFailure {
  return new StartFailure(
    `The embedded DynamoDB needs Java ${javaVersionMin} or newer, and no java command was found. ${howToInstall}`,
  );
}

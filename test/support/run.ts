import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /**
   * Prints the output immediately, indented: a line of another program must not look like the end of a test run.
   * @default false
   */
  readonly isShown?: boolean;
  /** The time limit in milliseconds. @default 600,000 */
  readonly milliseconds?: number;
}

export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ');

/** Runs a program until it ends. @throws if it fails, with its output unless that was printed */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { cwd, env, isShown = false, milliseconds = 600_000 } = options;
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: milliseconds });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    if (isShown) createInterface(stream).on('line', (line) => console.log(indented(line)));
  }
  const [code] = await once(child, 'close').catch((error: Error) => [error.message]);
  if (code !== 0)
    throw new Error(
      `${program} ${args.join(' ')} ended with ${code}:\n${isShown ? 'see above' : indented(printed.slice(-8_000))}`,
    );
  return printed;
}

const attemptsMax = 4;

/** Runs a step that downloads, and retries it after a pause, because registries sometimes refuse a request. */
export async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attemptsMax) throw error;
      await pause(attempt * 5_000);
    }
  }
}

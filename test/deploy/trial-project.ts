import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SettingsFile } from '#lib/infra/settings.ts';
import { run } from '#test/support/run.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const streamingRuntime = join(project, 'test/deploy/streaming-runtime.cjs');
const parts = ['bin', 'functions', 'lib', '.settings', 'cdk.json', 'package.json', 'tsconfig.json'];

/** The message for unknown addresses, before and after the update. */
export const messages = { before: 'Address not found.', after: 'Address not known.' } as const;

/** A copy of the project that is deployed instead of it, so that its code can be changed. */
export class TrialProject {
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#environment = environment;
  }

  static async make(folder: string, environment: NodeJS.ProcessEnv): Promise<TrialProject> {
    await mkdir(folder);
    await Promise.all(parts.map((part) => cp(join(project, part), join(folder, part), { recursive: true })));
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
    const trial = new TrialProject(folder, environment);
    // The emulator lacks the streaming functions of Lambda's runtime.
    await trial.#replace(
      'lib/infra/service-function.ts',
      "smallYoungGeneration = '",
      `smallYoungGeneration = '--require ${streamingRuntime} `,
    );
    // It has no metric math, either.
    await trial.#replace(
      'lib/infra/monitored.ts',
      'const shareOf = ',
      'const shareOf = (failures: IMetric) => failures;\nexport const shares = ',
    );
    await trial.#replace(
      'lib/infra/monitored.ts',
      'const amongMany = ',
      'const amongMany = (metric: IMetric) => metric;\nexport const many = ',
    );
    // It says that a table can be restored to this second alone.
    await trial.#replace('lib/workspace/command/restored-table.ts', 'at < earliest || at > latest', "at > '9'");
    await trial.#leadToEmulator(environment['AWS_ENDPOINT_URL'] ?? '');
    return trial;
  }

  /** A user pool has addresses of AWS. The emulator serves them at its own address. */
  async #leadToEmulator(url: string): Promise<void> {
    const file = 'lib/infra/identity.ts';
    await this.#replace(file, /`https:.*amazoncognito\.com`/, `'${url}'`);
    await this.#replace(file, /\$\{issuer\}(?=\/\.well-known)/, `${url}/\${userPoolId}`);
  }

  /** Changes the answer of every function at an unknown address. */
  change = (): Promise<void> => this.#replace('lib/http/errors.ts', ' not found.`', ' not known.`');

  async #replace(path: string, before: string | RegExp, after: string): Promise<void> {
    const file = join(this.folder, path);
    const text = await readFile(file, 'utf8');
    const changed = text.replace(before, after);
    if (changed === text) throw new Error(`The text that the trial changes is not in ${path}.`);
    await writeFile(file, changed);
  }

  /** Writes the settings of the stage `trial`. */
  settle = (settings: SettingsFile): Promise<void> =>
    writeFile(join(this.folder, '.settings/trial.json'), JSON.stringify(settings));

  /** Deploys the stage `trial`, as a person does. */
  deploy(drop: readonly string[], ...options: readonly string[]): Promise<string> {
    const dropped = drop.flatMap((name) => ['--drop', name]);
    const args = ['bin/deploy.ts', 'trial', ...dropped, '--', ...options, '--ci', 'true', '--no-notices'];
    return run(join(this.folder, 'node_modules/.bin/node'), args, { cwd: this.folder, env: this.#environment });
  }

  /** Prepares the account. Beside the project, because the CDK would synthesize it for nothing. */
  bootstrap(): Promise<string> {
    const program = join(this.folder, 'node_modules/.bin/cdk');
    const args = ['bootstrap', 'aws://000000000000/us-east-1', '--ci', 'true', '--no-notices'];
    return run(program, args, { cwd: dirname(this.folder), env: this.#environment });
  }

  /** Runs the CDK's command line, as a person does. */
  cdk(...args: readonly string[]): Promise<string> {
    const program = join(this.folder, 'node_modules/.bin/cdk');
    return run(program, [...args, '--ci', 'true', '--no-notices'], { cwd: this.folder, env: this.#environment });
  }

  /** Runs the smoke script, as a person does. The emulator answers OPTIONS itself, and streams arrive in one piece. */
  smoke(url: string, key: string): Promise<string> {
    const skipped = ['preflight', 'OPTIONS without an origin', 'streamed reply'].flatMap((name) => ['--skip', name]);
    const args = ['bin/smoke.ts', '--url', url, '--key', key, '--website', 'saffron.example', ...skipped];
    return run(join(this.folder, 'node_modules/.bin/node'), args, { cwd: this.folder, env: this.#environment });
  }

  workspace(...args: readonly string[]): Promise<string> {
    return run(join(this.folder, 'node_modules/.bin/node'), ['bin/workspace.ts', ...args], {
      cwd: this.folder,
      env: this.#environment,
    });
  }
}

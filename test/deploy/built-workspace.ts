import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { contentsOf, emptyWorkspace } from '#test/examples/document-contents.ts';
import { run } from '#test/support/run.ts';
import type { TrialProject } from './trial-project.ts';

const id = 'ws_built';

/** A workspace of a deployed service, built over HTTPS alone. */
export class BuiltWorkspace {
  /** The secret of a key with all permissions. */
  readonly secret = 'builder-key-000000000000000000';
  readonly #trial: TrialProject;
  readonly #stack: string;

  constructor(trial: TrialProject, stack: string) {
    this.#trial = trial;
    this.#stack = stack;
  }

  /**
   * Builds the demo with test/examples/build-workspace.js.
   * @param url the address of the distribution
   * @param importedId the workspace that was imported from the same document
   * @throws when the contents of the two differ
   */
  async build(url: string, importedId: string): Promise<void> {
    const { folder } = this.#trial;
    const empty = join(folder, 'empty.json');
    await writeFile(empty, JSON.stringify(emptyWorkspace(id, this.secret)));
    await this.#trial.workspace('import', empty, '--stack', this.#stack);
    const script = join(import.meta.dirname, '../examples/build-workspace.js');
    const env = { ...process.env, API_URL: url, API_KEY: this.secret };
    await run(process.execPath, [script, join(folder, 'lib/local/demo-workspace.json')], { env });
    const built = await this.#exported(id);
    const imported = await this.#exported(importedId);
    if (!isDeepStrictEqual(built, imported)) throw new Error(`${id} is not what ${importedId} is.`);
  }

  async #exported(workspaceId: string): Promise<unknown> {
    const file = join(this.#trial.folder, `${workspaceId}.json`);
    await this.#trial.workspace('export', file, '--workspace', workspaceId, '--stack', this.#stack);
    return contentsOf(JSON.parse(await readFile(file, 'utf8')), 'key_builder');
  }
}

import { WorkspaceId } from '#lib/domain/workspace.ts';

/** An invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options and positional arguments of a command. */
export class Arguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: string[];

  constructor(values: Readonly<Record<string, unknown>>, positionals: readonly string[]) {
    this.values = values;
    this.positionals = [...positionals];
  }

  /** @param label e.g. `KEY`, for the message */
  positional(label: string): string {
    const word = this.positionals.shift();
    if (!word) throw new UsageError(`Missing argument: ${label}.`);
    return word;
  }

  /** The file to write, if one is named. */
  file(): string | undefined {
    const file = this.positionals.shift();
    if (file !== '-') return file;
    throw new UsageError('Omit FILE to write to standard output. Use ./- for a file with this name.');
  }

  isSet(name: string): boolean {
    return this.values[name] === true;
  }

  optional(name: string): string | undefined {
    const value = this.values[name] as string | undefined;
    if (value === '') throw new UsageError(`--${name} must not be empty.`);
    return value;
  }

  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw new UsageError(`Missing option: --${name}.`);
    return value;
  }

  workspaceId(): string {
    const id = this.required('workspace');
    if (!WorkspaceId.safeParse(id).success)
      throw new UsageError(`--workspace must be the id of a workspace, not ${id}.`);
    return id;
  }

  requireNoMore(): void {
    if (this.positionals.length > 0) throw new UsageError(`Unexpected argument: ${this.positionals.join(' ')}.`);
  }
}

import type { Answer, Call } from '../call.ts';
import type { Document } from '../world.ts';

/** What a test's workspace has, beside two languages. */
export interface Preset<Name extends string, Calls> {
  /** The keys by name: the key `reader` has the id `key_reader`. */
  readonly keys: Readonly<Record<Name, object>>;
  /** Adds members and records to an empty document. Every text of theirs may contain the canary. */
  readonly fill: (document: Document, canary: string) => void;
  /** The calls that tests make with the keys. */
  readonly calls?: (workspace: Opened<Name>) => Calls;
}

/** A workspace that a test has opened. */
export interface Opened<Name extends string = string> {
  readonly workspaceId: string;
  /** Occurs in no other workspace, so that a test notices data of one in an answer of another. */
  readonly canary: string;
  readonly document: Document;
  /** The secrets of the keys. */
  readonly keys: Readonly<Record<Name, string>>;
}

/** Loads the functions at the first call, because a test may set their environment after it has imported a preset. */
export const call = async (route: string, options?: Call): Promise<Answer> =>
  (await import('../call.ts')).call(route, options);

/** Keeps the names of keys and the types of calls. */
export const preset = <Name extends string, Calls extends object = object>(
  of: Preset<Name, Calls>,
): Preset<Name, Calls> => of;

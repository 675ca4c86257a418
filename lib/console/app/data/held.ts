import type { Mutation, MutationFilters } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** Records whose deletion is sent when its toast ends. Until its answer it is a mutation. */
export interface HeldDeletion {
  readonly ids: readonly string[];
  /** Sends it, once. @returns when it was answered */
  readonly send: () => Promise<unknown>;
}

const key = 'held';

export const heldKey = (kind: string) => [key, kind];

/** Finds the deletions that were not answered yet. @param kind of which records. @default all */
export const heldMutations = (kind?: string): MutationFilters => ({
  mutationKey: kind === undefined ? [key] : heldKey(kind),
  status: 'pending',
});

const heldOf = ({ state }: Mutation) => state.variables as HeldDeletion;

export const idsOf = (mutation: Mutation): readonly string[] => heldOf(mutation).ids;

/** Sends all deletions that are held back, and waits for their answers: before a sign-out, for example. */
export const sendHeld = (): Promise<unknown> =>
  Promise.all(
    queryClient
      .getMutationCache()
      .findAll(heldMutations())
      .map((mutation) => heldOf(mutation).send()),
  );

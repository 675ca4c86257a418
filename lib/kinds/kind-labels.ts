import { eventTypes } from './event-types.ts';
import { managed, managedKinds } from './kinds.ts';

// Builds of the console contain only these values.

/** The names of one record in the console, by the path of its kind. */
export const kindLabels: Readonly<Record<string, { readonly en: string; readonly ar: string }>> = Object.fromEntries(
  managedKinds.map((kind) => [managed(kind).path, managed(kind).label]),
);

/** The paths of the kinds whose records have versions. */
export const kindsWithHistory: readonly string[] = managedKinds
  .map(managed)
  .flatMap(({ path, hasHistory }) => (hasHistory ? [path] : []));

/** The types of events, by the path of their kind. */
export const typesOfEvents: Readonly<Record<string, readonly string[]>> = Object.fromEntries(eventTypes);

import { managed, managedKinds } from './kinds.ts';

/** The names of one record in the console, by the path of its kind. Builds contain only this value. */
export const kindLabels: Readonly<Record<string, { readonly en: string; readonly ar: string }>> = Object.fromEntries(
  managedKinds.map((kind) => [managed(kind).path, managed(kind).label]),
);

import type { Issue } from '#lib/domain/issue.ts';
import { type ManagedKindName, managedKind } from '#lib/domain/manage/managed-kinds.ts';
import { HttpError, notFound } from '#lib/http/errors.ts';

/** The maximum number of records that a refusal names. */
export const namedRecordsMax = 20;

const nounOf = (name: ManagedKindName): string => {
  const { noun } = managedKind(name);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
};

export const recordNotFound = (name: ManagedKindName): HttpError => notFound(nounOf(name));

/** @param verb a PUT is refused if the caller may not see the stored record */
export const alreadyExists = (name: ManagedKindName, verb: 'create' | 'replace' | 'update' = 'create'): HttpError =>
  new HttpError(
    409,
    'already_exists',
    `The ${managedKind(name).noun} with this id already exists. Use ${verb === 'create' ? 'PUT to replace it' : 'another id'}.`,
  );

/** The change is too large for one request. */
export const useImport = (): HttpError =>
  new HttpError(
    409,
    'use_import',
    'This change would rewrite more than 5,000 records. Import a workspace document with it instead.',
  );

/** 409 for a change of a field that has values. @param entries as `cms-entries/notes/note_1` */
export const hasValues = (entries: readonly string[]): HttpError =>
  new HttpError(
    409,
    'in_use',
    'A field with values keeps its type, localized, many and relation; see errors for entries with values.',
    {
      errors: entries.map(
        (path): Issue => ({ path, code: 'in_use', message: 'Must have no value in a field that changes.' }),
      ),
    },
  );

/** @param referrers as `menu-products/prod_1` */
export function inUse(name: ManagedKindName, referrers: readonly string[]): HttpError {
  const errors = referrers.map(
    (path): Issue => ({ path, code: 'in_use', message: `Must not refer to this ${managedKind(name).noun}.` }),
  );
  return new HttpError(
    409,
    'in_use',
    `This ${managedKind(name).noun} is in use. Change or delete the records listed in errors first.`,
    { errors },
  );
}

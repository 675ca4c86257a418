import type { Issue } from '#lib/domain/issue.ts';
import { HttpError, notFound } from '#lib/http/errors.ts';
import { type ManagedKind, managed } from '#lib/kinds/kinds.ts';

/** The maximum number of records that a refusal names. */
export const namedRecordsMax = 20;

const nounOf = (kind: ManagedKind): string => {
  const { noun } = managed(kind);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
};

export const recordNotFound = (kind: ManagedKind): HttpError => notFound(nounOf(kind));

/** @param verb a PUT is refused if the caller may not see the stored record */
export const alreadyExists = (kind: ManagedKind, verb: 'create' | 'replace' | 'update' = 'create'): HttpError =>
  new HttpError(
    409,
    'already_exists',
    `The ${managed(kind).noun} with this id already exists. Use ${verb === 'create' ? 'PUT to replace it' : 'another id'}.`,
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
export function inUse(kind: ManagedKind, referrers: readonly string[]): HttpError {
  const errors = referrers.map(
    (path): Issue => ({ path, code: 'in_use', message: `Must not refer to this ${managed(kind).noun}.` }),
  );
  return new HttpError(
    409,
    'in_use',
    `This ${managed(kind).noun} is in use. Change or delete the records listed in errors first.`,
    { errors },
  );
}

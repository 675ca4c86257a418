import { withPath } from '#lib/domain/input.ts';
import { badRequest, HttpError, notFound, validationFailed } from '#lib/http/errors.ts';
import type { Managed } from '#lib/kinds/define-kind.ts';
import { ChangeRefused } from '#lib/table/writer/apply-change.ts';
import type { EditRules } from './managed-record.ts';

/** @param noun names the record, in lower case */
export const recordNotFound = (noun: string): HttpError => notFound(`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`);

/** The database that a path of an entry names. */
export const databaseNotFound = (): HttpError => recordNotFound('CMS database');

/** @param verb a PUT is refused if the caller may not see the stored record */
export function alreadyExists({ noun, verbs }: Managed, verb: 'create' | 'replace' | 'update'): HttpError {
  const next = verbs.replace ? 'PUT to replace it' : 'PATCH to change it';
  const message = `The ${noun} with this id already exists. Use ${verb === 'create' ? next : 'another id'}.`;
  return new HttpError(409, 'already_exists', message);
}

/** The answer to a refusal: another write was stored between the check and the transaction. Other errors stay. */
export function errorOfRefusal(
  error: unknown,
  { managed: { noun }, unique, refusals = {} }: Pick<EditRules, 'managed' | 'unique' | 'refusals'>,
): unknown {
  if (!(error instanceof ChangeRefused)) return error;
  if (error.reason === 'missing') return recordNotFound(noun);
  const path = unique ?? 'id';
  const message = `Must be unique: a stored record has the same ${path}.`;
  const duplicate = () => badRequest([validationFailed(withPath({ path, code: 'duplicate', message }))]);
  return (refusals[error.reason] ?? duplicate)();
}

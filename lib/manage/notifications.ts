import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '#lib/domain/json-object.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';

/** Refuses a change of any member but `readAt` (lib/spec/additions.md section 2). @throws 400 */
export function onlyReadAt(_: unknown, before: JsonObject | undefined, after: JsonObject): void {
  const changed = Object.keys(after).filter(
    (name) => name !== 'readAt' && after[name] !== undefined && !isDeepStrictEqual(after[name], before?.[name]),
  );
  if (changed.length === 0) return;
  throw badRequest(
    changed.map((path) =>
      validationFailed({ path, code: 'not_allowed', message: `${path}: Must not be changed; only readAt can be.` }),
    ),
  );
}

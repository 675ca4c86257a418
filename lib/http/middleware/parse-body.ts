import type { Issue, IssueCode } from '#lib/domain/issue.ts';
import { parseWith } from '#lib/domain/schema-issue.ts';
import type { Endpoint } from '../endpoint.ts';
import { badRequest, type Fault, invalidBody, validationFailed } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';
import { placedInBody } from '../json-body.ts';

/** Finds what is wrong with the readable parts of a request in the light of what is stored. */
export type Judge = (event: ApiEvent) => Promise<readonly Fault[]>;

/**
 * Holds the body against the declaration's schema.
 * @throws 400 with everything that is wrong with query and body
 */
export const parseBody = ({ body, bodies }: Pick<Endpoint, 'body' | 'bodies'>, judge?: Judge) => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { exchange } = event;
    const { faults } = exchange;
    if (body && 'json' in exchange) {
      const parsed = parseWith(body, exchange.json);
      if (parsed.issues) for (const issue of parsed.issues) faults.push(faultOf(issue));
      else exchange.body = parsed.value;
    }
    // An endpoint that reads its body itself adds the faults of the body.
    if (faults.length === 0 || bodies === 'streamed') return;
    // A failure to read, or a missing record, must not hide the faults.
    const others = (await judge?.(event).catch(() => [])) ?? [];
    throw badRequest([...faults, ...others]);
  },
});

/** Issues of a body's shape. All others, and all deeper ones, concern its contents. */
const shapeCodes: ReadonlySet<IssueCode> = new Set(['required', 'type', 'unknown_field']);

const faultOf = (issue: Issue): Fault => {
  const isAboutShape = shapeCodes.has(issue.code) && !issue.path.includes('.');
  return (isAboutShape ? invalidBody : validationFailed)(placedInBody(issue));
};

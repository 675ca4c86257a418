import type { Issue, IssueCode } from '#lib/domain/issue.ts';
import { parseWith } from '#lib/domain/schema-issue.ts';
import type { Endpoint } from '../endpoint.ts';
import { badRequest, invalidBody, type RequestIssue, validationFailed } from '../errors.ts';
import { withBodyPath } from '../json-body.ts';
import type { ApiEvent } from '../request-state.ts';

/** Finds what is wrong with the readable parts of a request in the light of what is stored. */
export type FindIssues = (event: ApiEvent) => Promise<readonly RequestIssue[]>;

/**
 * Holds the body against the declaration's schema.
 * @throws 400 with everything that is wrong with query and body
 */
export const parseBody = ({ body, bodies }: Pick<Endpoint, 'body' | 'bodies'>, findIssues?: FindIssues) => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { state } = event;
    const { requestIssues } = state;
    if (body && 'json' in state) {
      const parsed = parseWith(body, state.json);
      if (parsed.issues) for (const issue of parsed.issues) requestIssues.push(requestIssueOf(issue));
      else state.body = parsed.value;
    }
    // An endpoint that reads its body itself adds the issues of the body.
    if (requestIssues.length === 0 || bodies === 'streamed') return;
    // A failure to read, or a missing record, must not hide the issues.
    const others = (await findIssues?.(event).catch(() => [])) ?? [];
    throw badRequest([...requestIssues, ...others]);
  },
});

/** Issues of a body's shape. All others, and all deeper ones, concern its contents. */
const shapeCodes: ReadonlySet<IssueCode> = new Set(['required', 'type', 'unknown_field']);

const requestIssueOf = (issue: Issue): RequestIssue => {
  const isAboutShape = shapeCodes.has(issue.code) && !issue.path.includes('.');
  return (isAboutShape ? invalidBody : validationFailed)(withBodyPath(issue));
};

import type { Issue, IssueCode } from '#lib/domain/issue.ts';
import { parseWith } from '#lib/domain/schema-issue.ts';
import type { Endpoint } from '../endpoint.ts';
import { badRequest, invalidBody, type RequestIssue, validationFailed } from '../errors.ts';
import { withBodyPath } from '../json-body.ts';
import type { ApiEvent } from '../request-state.ts';

/** Finds issues of a request that need stored data. */
export type FindIssues = (event: ApiEvent) => Promise<readonly RequestIssue[]>;

/** Checks the body against the schema of the declaration. @throws 400 with all issues of query and body */
export const parseBody = ({ body, bodies }: Pick<Endpoint, 'body' | 'bodies'>, findIssues?: FindIssues) => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { state } = event;
    const { requestIssues } = state;
    if (body && 'json' in state) {
      const parsed = parseWith(body, state.json);
      if (parsed.issues) for (const issue of parsed.issues) requestIssues.push(requestIssueOf(issue));
      else state.body = parsed.value;
    }
    // An endpoint that reads its own body adds the issues of the body later.
    if (requestIssues.length === 0 || bodies === 'streamed') return;
    // A failure to read, or a missing record, must not hide the issues.
    const others = (await findIssues?.(event).catch(() => [])) ?? [];
    throw badRequest([...requestIssues, ...others]);
  },
});

/** Issues of the body's shape. All other issues, and all deeper ones, are about its content. */
const shapeCodes: ReadonlySet<IssueCode> = new Set(['required', 'type', 'unknown_field']);

const requestIssueOf = (issue: Issue): RequestIssue => {
  const isAboutShape = shapeCodes.has(issue.code) && !issue.path.includes('.');
  return (isAboutShape ? invalidBody : validationFailed)(withBodyPath(issue));
};

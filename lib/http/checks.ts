import type { Endpoint } from './endpoint.ts';
import { limitRate } from './middleware/limit-rate.ts';
import { markVisitorRoute } from './middleware/mark-visitor-route.ts';
import { matchRoute } from './middleware/match-route.ts';
import { nameIgnoredParameters } from './middleware/name-ignored-parameters.ts';
import { openTable } from './middleware/open-table.ts';
import { type FindIssues, parseBody } from './middleware/parse-body.ts';
import { readJsonBody } from './middleware/read-json-body.ts';
import { readParameters } from './middleware/read-parameters.ts';
import { recordKeyUse } from './middleware/record-key-use.ts';
import { requireCaller } from './middleware/require-caller.ts';
import { requireOrigin } from './middleware/require-origin.ts';
import { requirePermissions } from './middleware/require-permissions.ts';
import { requireSameOrigin } from './middleware/require-same-origin.ts';
import { type Precheck, runPrecheck } from './middleware/run-precheck.ts';
import type { Speculate } from './speculation.ts';

interface Hooks {
  readonly precheck?: Precheck | undefined;
  readonly speculate?: Speculate | undefined;
  readonly findIssues?: FindIssues | undefined;
}

/** The checks before every handler, in the order of lib/spec/decisions.md section 1. */
export const checks = (endpoint: Endpoint, { precheck, speculate, findIssues }: Hooks = {}) => [
  markVisitorRoute(endpoint),
  requireOrigin(),
  matchRoute(endpoint),
  openTable(),
  readParameters(endpoint),
  requireCaller(endpoint, speculate),
  requireSameOrigin(),
  nameIgnoredParameters(endpoint),
  limitRate(),
  requirePermissions(endpoint),
  recordKeyUse(),
  runPrecheck(precheck),
  readJsonBody(endpoint),
  parseBody(endpoint, findIssues),
];

import type { Endpoint } from './endpoint.ts';
import { limitRate } from './middleware/limit-rate.ts';
import { matchRoute } from './middleware/match-route.ts';
import { openTable } from './middleware/open-table.ts';
import { parseBody } from './middleware/parse-body.ts';
import { readJsonBody } from './middleware/read-json-body.ts';
import { readQueryString } from './middleware/read-query-string.ts';
import { type Admission, requireAdmission } from './middleware/require-admission.ts';
import { type Guess, requireApiKey } from './middleware/require-api-key.ts';
import { requireOrigin } from './middleware/require-origin.ts';
import { requirePermissions } from './middleware/require-permissions.ts';

/** What every request passes before the body of its endpoint, in the order of lib/spec/decisions.md section 1. */
export const checks = (endpoint: Endpoint, guess?: Guess, admission?: Admission) => [
  requireOrigin(),
  matchRoute(endpoint),
  openTable(),
  readQueryString(endpoint),
  requireApiKey(endpoint, guess),
  limitRate(),
  requirePermissions(endpoint),
  requireAdmission(admission),
  readJsonBody(endpoint),
  parseBody(endpoint),
];

import { parseWith } from '#lib/domain/schema-issue.ts';
import type { Endpoint } from '../endpoint.ts';
import { badRequest, invalidBody } from '../errors.ts';
import type { ApiEvent } from '../exchange.ts';

/**
 * Holds the body against the declaration's schema.
 * @throws 400 with everything that is wrong with query and body as far as they can be judged alone
 */
export const parseBody = ({ body }: Pick<Endpoint, 'body'>) => ({
  before: ({ event: { exchange } }: { event: ApiEvent }) => {
    const { faults } = exchange;
    if (body && 'json' in exchange) {
      const parsed = parseWith(body, exchange.json);
      if (parsed.issues) for (const issue of parsed.issues) faults.push(invalidBody(issue));
      else exchange.body = parsed.value;
    }
    if (faults.length > 0) throw badRequest(faults);
  },
});

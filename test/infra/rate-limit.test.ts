import { describe, expect, it } from '@jest/globals';
import { callersOf } from '#lib/http/endpoint.ts';
import { everySetting } from './every-setting.ts';
import { isAllowed, roleOf } from './statements.ts';
import { declared, functionsByName, type Resource, synthesize } from './synthesize.ts';

const variablesOf = ({ Properties }: Resource) =>
  (Properties['Environment'] as { Variables: Record<string, unknown> } | undefined)?.Variables ?? {};

describe('the setting keyCallsPerMinute', () => {
  const limitedOnes = declared.endpoints.filter(({ endpoint }) => callersOf(endpoint).length > 0);
  const keyed = limitedOnes.map(({ name }) => name);

  it('sets the limit for every function that identifies callers, and grants it the counters', async () => {
    const limited = await synthesize(declared, everySetting);
    for (const [name, { fn }] of functionsByName(limited)) {
      const isLimited = keyed.includes(name);
      expect([name, variablesOf(fn)['RATE_LIMIT']]).toEqual([
        name,
        isLimited ? String(everySetting.keyCallsPerMinute) : undefined,
      ]);
      const count = {
        action: 'dynamodb:UpdateItem',
        resource: 'WorkspaceTable',
        context: { 'dynamodb:LeadingKeys': ['RATE#ws_1#key_1'] },
      };
      if (isLimited) expect([name, isAllowed(roleOf(limited, fn), count)]).toEqual([name, true]);
    }
  });

  it('is off by default', async () => {
    for (const [, { fn }] of functionsByName(await synthesize(declared))) {
      expect(variablesOf(fn)).not.toHaveProperty('RATE_LIMIT');
    }
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { serviceChoices } from './choices.ts';
import { declared, resourcesOf, synthesize } from './synthesize.ts';

const text = readFileSync(new URL('../../lib/infra/cost.md', import.meta.url), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| What'))
  .map((line) => line.replaceAll('*', '').split('|').slice(1, -1));
const numberOf = (cell: string): number =>
  cell.split('+').reduce((sum, part) => sum + Number(part.replaceAll(',', '')), 0);

/** The stack as `npm run deploy` makes it, which knows the quota. */
const stack = await synthesize(declared, serviceChoices.deployed);

describe('lib/infra/cost.md', () => {
  it('counts the metrics of all alarms', () => {
    const metrics = resourcesOf(stack, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) => {
      const parts = (Properties['Metrics'] ?? [{ MetricStat: true }]) as { MetricStat?: unknown }[];
      return parts.filter(({ MetricStat }) => MetricStat !== undefined);
    });
    const beyond = metrics.length - 10;
    expect(rows[0]?.[0]).toContain(`${beyond} metrics of alarms beyond the tenth at 0.10`);
    expect(numberOf(rows[0]?.[1] ?? '')).toBeCloseTo(3 + 0.1 * beyond + 0.8);
  });

  it('counts the runs of all schedules in a month', () => {
    const runs = resourcesOf(stack, 'AWS::Events::Rule').map(([, { Properties }]) => {
      const [minutes] = String(Properties['ScheduleExpression']).match(/\d+/) ?? [];
      return (30 * 24 * 60) / Number(minutes);
    });
    const thousands = Math.round(runs.reduce((sum, count) => sum + count) / 1000);
    expect(rows[1]?.[0]).toContain(`${thousands},000 runs by schedules`);
  });

  it.each([1, 2, 3])('adds up in column %i', (column) => {
    const amounts = rows.map((cells) => numberOf(cells[column] ?? ''));
    const together = amounts.pop();
    expect(together).toBeCloseTo(
      amounts.reduce((sum, amount) => sum + amount),
      column === 3 ? -1 : 2,
    );
  });
});

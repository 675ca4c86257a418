import { describe, expect, it } from '@jest/globals';
import { listedCurrencies } from '#lib/console/app/areas/settings/currencies.ts';
import { Workspace } from '#lib/domain/workspace.ts';

const nameIn = (locale: string, code: string) =>
  listedCurrencies(locale).find((currency) => currency.code === code)?.name;

describe('the currencies that are offered', () => {
  it('have a name in the language of the console, by which they are sorted', () => {
    expect([nameIn('en-US', 'SAR'), nameIn('ar-AE', 'SAR')]).toEqual(['Saudi Riyal', 'ريال سعودي']);
    const names = listedCurrencies('en-US').map(({ name }) => name);
    expect(names).toEqual([...names].sort(new Intl.Collator('en-US').compare));
  });

  it('are each once in the list, and can be stored', () => {
    const codes = listedCurrencies('ar-AE').map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    const refused = codes.filter((code) => !Workspace.shape.currency.safeParse(code).success);
    expect(refused).toEqual([]);
  });
});

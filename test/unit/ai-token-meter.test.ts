import { describe, expect, it } from '@jest/globals';
import type { Part } from '#lib/ai/engine.ts';
import { promptTokens, TokenMeter } from '#lib/ai/token-meter.ts';

const prompt = { system: 'You answer.', messages: [{ role: 'user' as const, text: 'Hello?' }], tools: [] };
const text: Part = { type: 'text', delta: 'x'.repeat(300) };
const usage = (inputTokens: number, outputTokens: number): Part => ({ type: 'usage', inputTokens, outputTokens });

function spentTokensOf(...calls: readonly (readonly Part[])[]): number {
  const meter = new TokenMeter();
  for (const parts of calls) {
    meter.begin(prompt);
    for (const part of parts) meter.add(part);
  }
  return meter.spent;
}

describe('the tokens of a reply', () => {
  it('are those that the server counts, of all calls', () => {
    expect(spentTokensOf([text, usage(10, 5)], [usage(20, 7)])).toBe(42);
    const meter = new TokenMeter();
    for (const part of [usage(10, 5), usage(20, 7)]) {
      meter.begin(prompt);
      meter.add(part);
    }
    expect(meter.reported).toEqual({ inputTokens: 30, outputTokens: 12 });
  });

  it('are estimated for each call without a count by the server', () => {
    expect(spentTokensOf([text])).toBe(promptTokens(prompt) + 100);
    expect(spentTokensOf([usage(10, 5)], [text])).toBe(15 + promptTokens(prompt) + 100);
    const call: Part = { type: 'tool-call', id: 'a', name: 'search_menu', input: { query: 'kabsa' } };
    expect(spentTokensOf([call])).toBeGreaterThan(promptTokens(prompt) + 5);
  });

  it.each([
    [0, 0],
    [-1, 5],
    [10, 1.5],
    [Number.NaN, 1],
    [1e300, 1],
    [Number.POSITIVE_INFINITY, 1],
  ])('are estimated when what the server counts makes no sense: %s, %s', (input, output) => {
    expect(spentTokensOf([text, usage(input, output)])).toBe(promptTokens(prompt) + 100);
  });

  it('are none before the model has answered', () => {
    expect(spentTokensOf()).toBe(0);
    expect(spentTokensOf([])).toBe(0);
    expect(spentTokensOf([usage(10, 5)], [])).toBe(15);
  });

  it('are estimated alike in all scripts: rather too many than too few', () => {
    const tokensOf = (delta: string) => spentTokensOf([{ type: 'text', delta }]) - promptTokens(prompt);
    expect(tokensOf('How much is the kabsa?')).toBeGreaterThanOrEqual(7);
    expect(tokensOf('كم سعر الكبسة؟')).toBeGreaterThanOrEqual(6);
    expect(tokensOf('多少钱')).toBeGreaterThanOrEqual(3);
  });
});

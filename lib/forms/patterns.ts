import type { PatternTest } from '#lib/domain/form-answer-bounds.ts';
import type { FormField } from '#lib/domain/form-field.ts';
import type { Pattern } from '#lib/patterns/compile.ts';
import { BoundedCache } from '#lib/table/bounded-cache.ts';

/** Compiled patterns by their source: what a warm function keeps. */
const compiled = new BoundedCache<Pattern>(200);

/** What tests answers against the patterns of a form's fields; the engine is loaded only if there are any. */
export async function patternTest(fields: readonly FormField[]): Promise<PatternTest> {
  const sources = new Set(fields.flatMap(({ validations }) => validations.pattern ?? []));
  const patterns = new Map<string, Pattern>();
  for (const source of sources) patterns.set(source, compiled.get(source) ?? (await compile(source)));
  return (source, text) => patterns.get(source)?.matches(text) ?? false;
}

async function compile(source: string): Promise<Pattern> {
  const { compilePattern } = await import('#lib/patterns/compile.ts');
  const result = compilePattern(source);
  if ('refusal' in result) throw new Error(`A stored pattern cannot be compiled. ${result.refusal}`);
  compiled.set(source, result.pattern);
  return result.pattern;
}

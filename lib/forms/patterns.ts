import type { PatternTest } from '#lib/domain/forms/form-answer-bounds.ts';
import type { FormField } from '#lib/domain/forms/form-field.ts';
import type { compilePattern, Pattern } from '#lib/patterns/compile.ts';
import { Unavailable } from '#lib/table/errors.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';

/** Compiled patterns by their source. */
const compiled = containerMemory.view<Pattern>();
/** The program of the largest pattern, with the states that it caches. */
const patternBytes = 100_000;

/** The budget for all patterns of a form, because a submit must be answered within three seconds. */
const microsecondsMax = 2_000_000;

/**
 * Makes the pattern test of one submit. The engine is loaded only if the form has patterns. One pattern is always fast;
 * a hundred of the largest are not.
 * @throws Unavailable, from the test, when the form's patterns exceed their time budget
 */
export async function patternTest(fields: readonly FormField[]): Promise<PatternTest> {
  if (!fields.some(({ validations }) => validations.pattern !== undefined)) return () => false;
  const engine = await import('#lib/patterns/compile.ts');
  const startedAt = process.threadCpuUsage();
  return (source, text) => {
    if (process.threadCpuUsage(startedAt).user > microsecondsMax) throw new Unavailable('The patterns take too long.');
    return (compiled.get(source) ?? keep(source, engine.compilePattern(source))).matches(text);
  };
}

function keep(source: string, result: ReturnType<typeof compilePattern>): Pattern {
  if ('refusal' in result) throw new Error(`A stored pattern cannot be compiled. ${result.refusal}`);
  compiled.set(source, result.pattern, patternBytes);
  return result.pattern;
}

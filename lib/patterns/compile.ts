import { RE2JS } from 're2js';
import { UnsupportedPattern } from './escape.ts';
import { translatePattern } from './translate.ts';

const instructionsMax = 2_000;

/** A compiled pattern of a form field. It matches whole answers. */
export interface Pattern {
  matches(value: string): boolean;
}

/**
 * Compiles a pattern in JavaScript syntax for a linear-time engine (lib/spec/decisions.md section 5).
 * @returns the pattern, or a sentence that says why it cannot be used
 */
export function compilePattern(source: string): { readonly pattern: Pattern } | { readonly refusal: string } {
  try {
    assertValidSyntax(source);
    const engine = RE2JS.compile(translatePattern(source));
    const size = engine.programSize();
    if (size > instructionsMax)
      throw new UnsupportedPattern(`it compiles to ${size} instructions, more than ${instructionsMax}`);
    return { pattern: { matches: (value) => engine.testExact(value) } };
  } catch (error) {
    const reason = error instanceof UnsupportedPattern ? error.message : `the engine says: ${(error as Error).message}`;
    return { refusal: `Must be a pattern that can be matched in linear time: ${reason}.` };
  }
}

/** Accepts a pattern that is valid with or without the `u` flag, as browsers did for form patterns. */
function assertValidSyntax(source: string): void {
  if (syntaxErrorOf(source, 'u') === undefined) return;
  const message = syntaxErrorOf(source, '');
  if (message !== undefined) throw new UnsupportedPattern(`it is no pattern in JavaScript's syntax (${message})`);
  if (/\\[pP]\{/.test(source))
    throw new UnsupportedPattern('its Unicode property is not known to JavaScript; write \\p{L} or \\p{Script=Arabic}');
}

function syntaxErrorOf(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return (error as Error).message.split(': ').at(-1)?.toLowerCase();
  }
}

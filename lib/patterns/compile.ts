import { RE2JS } from 're2js';
import { Refusal } from './escape.ts';
import { translatePattern } from './translate.ts';

const instructionsMax = 2_000;

/** A pattern of a form field, ready to be matched against whole answers. */
export interface Pattern {
  matches(value: string): boolean;
}

/**
 * Compiles a pattern in JavaScript's syntax for an engine whose time is linear in the length of the answer
 * (decisions.md section 5), or says in a sentence why it cannot be used.
 */
export function compilePattern(source: string): { readonly pattern: Pattern } | { readonly refusal: string } {
  try {
    requireJavaScript(source);
    const engine = RE2JS.compile(translatePattern(source));
    const size = engine.programSize();
    if (size > instructionsMax) throw new Refusal(`it compiles to ${size} instructions, more than ${instructionsMax}`);
    return { pattern: { matches: (value) => engine.testExact(value) } };
  } catch (error) {
    const reason = error instanceof Refusal ? error.message : `the engine says: ${(error as Error).message}`;
    return { refusal: `Must be a pattern that can be matched in linear time: ${reason}.` };
  }
}

/** With the flag u if it can be read so, else without, as browsers have read patterns of forms. */
function requireJavaScript(source: string): void {
  if (syntaxErrorOf(source, 'u') === undefined) return;
  const message = syntaxErrorOf(source, '');
  if (message !== undefined) throw new Refusal(`it is no pattern in JavaScript's syntax (${message})`);
  if (/\\[pP]\{/.test(source))
    throw new Refusal('its Unicode property is not known to JavaScript; write \\p{L} or \\p{Script=Arabic}');
}

function syntaxErrorOf(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return (error as Error).message.split(': ').at(-1)?.toLowerCase();
  }
}

import type * as z from 'zod/mini';
import { isObject } from '../input.ts';

/**
 * Applies a JSON Merge Patch (RFC 7396) to a record. `null` removes a language or an optional property. Any other
 * property becomes null. So a required property is an error and never gets its default (lib/spec/additions.md section
 * 2). Bodies have a bounded depth, so the recursion has, too.
 * @param schema of the target
 */
export function mergePatch(target: unknown, patch: unknown, schema?: z.ZodMiniType): unknown {
  if (!isObject(patch)) return patch;
  const shape = schema && shapeOf(schema);
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    const member = shape && Object.hasOwn(shape, name) ? shape[name] : undefined;
    const mayBeAbsent = shape === undefined || (member !== undefined && typeOf(member) === 'optional');
    if (value === null && mayBeAbsent && !stamps.has(name)) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value, member));
  }
  // Unlike an assignment, this makes a member of `__proto__`, which is refused later.
  return Object.fromEntries(merged);
}

/** A body may omit these properties, but not remove them. */
const stamps: ReadonlySet<string> = new Set(['createdAt', 'updatedAt']);

interface Def {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
}

const defOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Def;
const typeOf = (schema: z.ZodMiniType): string => defOf(schema).type;

/** The properties of an object schema; undefined for others, e.g. an object of languages. */
function shapeOf(schema: z.ZodMiniType): Def['shape'] {
  const { innerType, shape } = defOf(schema);
  return innerType ? shapeOf(innerType) : shape;
}

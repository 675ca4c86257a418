import * as z from 'zod/mini';
import { type Issue, withPath } from '#lib/domain/issue.ts';
import { parseWith } from '#lib/domain/schema-issue.ts';
import { utcTime } from '#lib/domain/text/time-stamp.ts';
import { derived } from '#lib/table/memory/derived.ts';

/** Describes a parameter whose schema turns a string into another type. */
export interface ParameterRule {
  /** JSON Schema of the value, as the API description shows it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** A sentence about the format. */
  readonly rule: string;
  /** The default of an absent parameter, if the schema has none. */
  readonly fallback?: unknown;
  /** Whether it covers all parameters `name[...]`. The schema then reads `FamilyMember[]`. */
  readonly isFamily?: true;
}

/** One parameter of a family such as `filter[name][contains]`. */
export interface FamilyMember {
  /** The sent value, decoded. */
  readonly name: string;
  readonly value: string;
}

/** Each schema of a parameter registers its rule, so that code and API description agree. */
export const parameterRules = z.registry<ParameterRule>();

/** Plain decimal digits without sign or leading zeros, at most 15 (lib/spec/decisions.md section 1). */
const digits = /^(?:0|[1-9][0-9]{0,14})$/;

interface NumberRule {
  readonly min: number;
  readonly max?: number;
  /** The value of an absent parameter, for a default that cannot be sent. */
  readonly fallback?: number;
}

/** A whole number in a query string. Only plain digits are accepted. */
export function wholeNumber({ min, max = 999_999_999_999_999, fallback }: NumberRule) {
  const rule = max < 999_999_999_999_999 ? `a whole number from ${min} to ${max}` : `a whole number of at least ${min}`;
  const error = `Must be ${rule}, in plain digits.`;
  const schema = z.pipe(
    z.pipe(
      z.string().check(z.regex(digits, { error, abort: true })),
      z.transform((text) => Number(text)),
    ),
    z.number().check(z.minimum(min, error), z.maximum(max, error)),
  );
  const jsonSchema = { type: 'integer', minimum: min, maximum: max };
  return schema.register(parameterRules, {
    schema: jsonSchema,
    rule: error,
    ...(fallback !== undefined && { fallback }),
  });
}

/** Exactly `true` or `false`. */
export const flag = () =>
  z
    .pipe(
      z.enum(['true', 'false'], 'Must be true or false.'),
      z.transform((text) => text === 'true'),
    )
    .register(parameterRules, { schema: { type: 'boolean' }, rule: 'Must be exactly `true` or `false`.' });

/** A parameter for a family of names, e.g. `filter[...]`. */
export const family = (rule: Omit<ParameterRule, 'isFamily'>) =>
  z
    .custom<readonly FamilyMember[]>((value) => Array.isArray(value))
    .register(parameterRules, { ...rule, isFamily: true });

/** A point in time as RFC 3339, read as milliseconds since 1970. */
export const instant = () => {
  const error = 'Must be a time such as 2026-01-31T09:00:00Z.';
  return z
    .pipe(
      z.string().check(z.refine((text) => utcTime(text) !== undefined, { error, abort: true })),
      z.transform((text) => Date.parse(utcTime(text) ?? '')),
    )
    .register(parameterRules, { schema: { type: 'string', format: 'date-time' }, rule: error });
};

/**
 * Reads the parameters of a schema. A repeated parameter is an issue, an empty one is absent, and unknown ones are
 * ignored (lib/spec/decisions.md section 1).
 * @returns the valid parameters, and the issues of the others
 */
export function readQuery(
  schema: z.ZodMiniType,
  queryString: URLSearchParams,
): { readonly query: unknown; readonly issues?: Issue[] } {
  const repeated: Issue[] = [];
  const values: Record<string, string | FamilyMember[]> = {};
  const byName = Map.groupBy(queryString, ([name]) => name);
  const read = (name: string): string | undefined => {
    const [first, ...others] = byName.get(name) ?? [];
    if (others.length > 0) repeated.push({ path: name, code: 'repeated', message: 'Must be given once.' });
    return others.length > 0 || first?.[1] === '' ? undefined : first?.[1];
  };
  const { names, families } = namesOf(schema);
  for (const name of names) {
    const value = families.includes(name) ? membersOf(name, byName.keys(), read) : read(name);
    if (value !== undefined) values[name] = value;
  }
  const parsed = parseWith(schema, values);
  if (!parsed.issues && repeated.length === 0) return { query: parsed.value };
  const unread = new Set(repeated.map(({ path }) => path));
  const issues = (parsed.issues ?? []).filter(({ path }) => !unread.has(path));
  return { query: readable(schema, values), issues: [...repeated, ...issues].map(withPath) };
}

/** Undefined without members, so that the family is absent. */
function membersOf(
  family: string,
  names: Iterable<string>,
  read: (name: string) => string | undefined,
): FamilyMember[] | undefined {
  const members: FamilyMember[] = [];
  for (const name of names) {
    const value = belongsTo(family, name) ? read(name) : undefined;
    if (value !== undefined) members.push({ name, value });
  }
  return members.length > 0 ? members : undefined;
}

const belongsTo = (family: string, name: string): boolean => name === family || name.startsWith(`${family}[`);

/** The valid members of a query. */
function readable(schema: z.ZodMiniType, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shapeOf(schema)).flatMap(([name, member]) => {
      const parsed = parseWith(member, values[name]);
      return parsed.issues || parsed.value === undefined ? [] : [[name, parsed.value]];
    }),
  );
}

/** The parameter names of a declaration's query schema, in declaration order. */
export const parameterNames = (schema: z.ZodMiniType): readonly string[] => namesOf(schema).names;

/** All names, and those of families. Every request needs them. */
const namesOf = derived((schema: z.ZodMiniType) => {
  const names = Object.keys(shapeOf(schema));
  return { names, families: names.filter((name) => isFamily(schema, name)) };
});

function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, z.ZodMiniType>> {
  return (schema._zod.def as unknown as { readonly shape?: Record<string, z.ZodMiniType> }).shape ?? {};
}

function isFamily(schema: z.ZodMiniType, name: string): boolean {
  const member = shapeOf(schema)[name];
  const inner = (member?._zod.def as { readonly innerType?: z.ZodMiniType } | undefined)?.innerType;
  return [member, inner].some((type) => type !== undefined && parameterRules.get(type)?.isFamily === true);
}

/** Whether an endpoint reads a parameter of this name. */
export function isParameterOf(schema: z.ZodMiniType, name: string): boolean {
  const { names, families } = namesOf(schema);
  return names.includes(name) || families.some((family) => belongsTo(family, name));
}

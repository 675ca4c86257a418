import * as z from 'zod/mini';
import { derived } from '#lib/domain/derived.ts';
import { type Issue, parseWith, withPath } from '#lib/domain/input.ts';

/** Describes a parameter whose schema turns a string into another type. */
export interface ParameterRule {
  /** JSON Schema of the value, as the API description shows it. @default a string */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly rule: string;
  /** The default of an absent parameter, if the schema has none. */
  readonly fallback?: unknown;
  /** Whether it is a comma-separated list, which may also be given in several parameters. */
  readonly isList?: true;
  /** Whether it covers all parameters `name[...]`. The schema then reads `FamilyMember[]`. */
  readonly isFamily?: true;
}

export type ValuesOf<Parameters extends z.core.$ZodShape> = z.output<z.ZodMiniObject<Parameters>>;

/** The parameters of one name in a family, such as `filter[name][contains]`. */
export interface FamilyMember {
  /** The sent name, decoded. */
  readonly name: string;
  /** All sent values, decoded. A single one is not empty. */
  readonly values: readonly string[];
}

/** Each schema of a parameter registers its rule, so that code and API description agree. */
export const parameterRules = z.registry<ParameterRule>();

export const repeated = { code: 'repeated', message: 'Must be given once.' } as const;

/**
 * A repeated parameter is an issue unless it is a list, an empty one is absent, and unknown ones are ignored
 * (lib/spec/decisions.md section 1).
 * @returns the valid parameters, and the issues of the others
 */
export function readQuery(
  schema: z.ZodMiniType,
  queryString: URLSearchParams,
): { readonly query: unknown; readonly issues?: Issue[] } {
  const repetitions: Issue[] = [];
  const values: Record<string, string | FamilyMember[]> = {};
  const byName = Map.groupBy(queryString, ([name]) => nameOf(schema, name));
  const valuesOf = (name: string) => (byName.get(name) ?? []).map(([, value]) => value);
  const { names, families, lists } = namesOf(schema);
  for (const name of names) {
    if (families.has(name)) {
      const members = [...byName.keys()]
        .filter((member) => belongsTo(name, member))
        .map((member) => ({ name: member, values: valuesOf(member) }))
        .filter((member) => member.values.length > 1 || member.values[0] !== '');
      // Without members the family is absent.
      if (members.length > 0) values[name] = members;
      continue;
    }
    const sent = valuesOf(name);
    if (sent.length > 1 && !lists.has(name)) repetitions.push({ path: name, ...repeated });
    else if (sent.join('') !== '') values[name] = sent.join();
  }
  const parsed = parseWith(schema, values);
  if (!parsed.issues && repetitions.length === 0) return { query: parsed.value };
  const unread = new Set(repetitions.map(({ path }) => path));
  const issues = (parsed.issues ?? []).filter(({ path }) => !unread.has(path));
  return { query: readable(schema, values), issues: [...repetitions, ...issues].map(withPath) };
}

/** `ids[]` is `ids` if that is a list: many clients write lists so. */
function nameOf(schema: z.ZodMiniType, sent: string): string {
  const name = sent.endsWith('[]') ? sent.slice(0, -2) : sent;
  return namesOf(schema).lists.has(name) ? name : sent;
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

/** All names, and those of families and lists. Every request needs them. */
const namesOf = derived((schema: z.ZodMiniType) => {
  const names = Object.keys(shapeOf(schema));
  const having = (property: 'isFamily' | 'isList') =>
    new Set(names.filter((name) => rulesOf(schema, name).some((rule) => rule[property])));
  return { names, families: having('isFamily'), lists: having('isList') };
});

/** The parameters of a declaration's schema by their names. */
export function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, z.ZodMiniType>> {
  return (schema._zod.def as unknown as { readonly shape?: Record<string, z.ZodMiniType> }).shape ?? {};
}

function rulesOf(schema: z.ZodMiniType, name: string): readonly ParameterRule[] {
  const member = shapeOf(schema)[name];
  const inner = (member?._zod.def as { readonly innerType?: z.ZodMiniType } | undefined)?.innerType;
  return [member, inner].flatMap((type) => (type && parameterRules.get(type)) ?? []);
}

/** Whether an endpoint reads a parameter of this name. */
export function isParameterOf(schema: z.ZodMiniType, name: string): boolean {
  const { names, families } = namesOf(schema);
  return names.includes(nameOf(schema, name)) || [...families].some((family) => belongsTo(family, name));
}

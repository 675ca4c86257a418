export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text, or none: what a document holds may not even be convertible to one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A place in a record and what stands there. */
export interface PlacedValue {
  readonly path: string;
  readonly value: unknown;
}

/** What stands at a path such as `fields[].options[].label`, for every item of the lists on the way. */
export function valuesAt(root: unknown, path: string): PlacedValue[] {
  return path
    .split('.')
    .reduce<PlacedValue[]>(
      (found, step) => found.flatMap((place) => membersAt(place, step)),
      [{ path: '', value: root }],
    );
}

function membersAt({ path, value }: PlacedValue, step: string): PlacedValue[] {
  const name = step.replace('[]', '');
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  const at = path === '' ? name : `${path}.${name}`;
  if (name === step) return member === undefined || member === null ? [] : [{ path: at, value: member }];
  return Array.isArray(member) ? member.map((item, index) => ({ path: `${at}.${index}`, value: item })) : [];
}

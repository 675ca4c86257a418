export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isListOfText = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The value if it is a string, else the empty string. Untrusted values may not be convertible. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The own value of a key, never an inherited property such as `toString`. */
export const ownValue = (values: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined;

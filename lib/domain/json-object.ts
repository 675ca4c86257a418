export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a string, else the empty string. Untrusted values may not be convertible. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

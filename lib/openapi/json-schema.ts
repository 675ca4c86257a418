/** A piece of an OpenAPI document, or of the JSON Schema in it. */
export type Json = Readonly<Record<string, unknown>>;

export const text: Json = { type: 'string' };
export const timeStamp: Json = { type: 'string', format: 'date-time' };

/** A schema of the components. */
export const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Leaves out what has no value, as JSON would. */
export const compact = (object: Record<string, unknown>): Json =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

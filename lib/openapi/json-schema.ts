/** A part of an OpenAPI document or JSON Schema. */
export type Json = Readonly<Record<string, unknown>>;

export const text: Json = { type: 'string' };
export const timeStamp: Json = { type: 'string', format: 'date-time' };

export const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Removes undefined properties, as JSON does. */
export const compact = (object: Record<string, unknown>): Json =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

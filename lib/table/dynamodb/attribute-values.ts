/** A value in DynamoDB's JSON, with one member. Binary values are base64. Sets are missing: no item has one. */
export interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly B?: string;
  readonly L?: readonly AttributeValue[];
  readonly M?: Attributes;
}

export type Attributes = Readonly<Record<string, AttributeValue>>;

type Plain = Record<string, unknown>;

/** Members that are undefined are left out. @throws TypeError for numbers and objects that JSON does not have */
export function marshal(map: Readonly<Plain>): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  for (const name in map) {
    const value = map[name];
    if (isKept(value)) attributes[name] = attributeOf(value);
  }
  return attributes;
}

export function unmarshal(attributes: Attributes): Plain {
  const map: Plain = {};
  for (const name in attributes) map[name] = plainValue(attributes[name] as AttributeValue);
  return map;
}

const isKept = (value: unknown): boolean => value !== undefined && typeof value !== 'function';

function attributeOf(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (typeof value === 'number' && Number.isFinite(value)) return { N: String(value) };
  if (Array.isArray(value)) return { L: value.filter(isKept).map(attributeOf) };
  if (value instanceof Uint8Array)
    return { B: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') };
  if (isPlain(value)) return { M: marshal(value) };
  throw new TypeError(`DynamoDB cannot store ${String(value)}.`);
}

/** Not an instance of a class, even if another realm has made it, as `structuredClone` does in a test. */
function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function plainValue({ S, N, BOOL, M, L, B }: AttributeValue): unknown {
  if (S !== undefined) return S;
  // All numbers were written as JavaScript numbers, so reading them as such loses nothing.
  if (N !== undefined) return Number(N);
  if (M !== undefined) return unmarshal(M);
  if (L !== undefined) return L.map(plainValue);
  if (B !== undefined) return Buffer.from(B, 'base64');
  return BOOL ?? null;
}

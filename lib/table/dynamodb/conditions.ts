/** A condition of a write command. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** No item has the key. */
export const isNew: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/** An attribute of the stored item has this value. With undefined: no item has the key. */
export const isStill = (attribute: string, value: unknown): Condition =>
  value === undefined
    ? isNew
    : {
        ConditionExpression: '#attribute = :value',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: { ':value': value },
      };

/** Makes a failed condition return the stored item. */
export const returnStoredItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };

/** One attribute to set or to remove, by its document path. */
export type AttributeChange =
  | { readonly path: readonly string[]; readonly set: unknown }
  | { readonly path: readonly string[]; readonly remove: true };

/** DynamoDB accepts expressions of up to 4 KB. */
const expressionBytesMax = 4_000;

interface UpdateExpression {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
}

/**
 * One update with a document path for each attribute, so that concurrent updates of other attributes survive. Every
 * name is a placeholder and never part of the expression's text.
 * @returns undefined if the change does not fit one expression
 */
export function updateExpression(changes: readonly AttributeChange[]): UpdateExpression | undefined {
  const names = new Map<string, string>();
  const values: Record<string, unknown> = {};
  const placeholder = (name: string): string => {
    const alias = names.get(name) ?? `#n${names.size}`;
    names.set(name, alias);
    return alias;
  };
  const sets: string[] = [];
  const removes: string[] = [];
  for (const [index, change] of changes.entries()) {
    const path = change.path.map(placeholder).join('.');
    if ('remove' in change) removes.push(path);
    else {
      values[`:v${index}`] = change.set;
      sets.push(`${path} = :v${index}`);
    }
  }
  const clauses = [sets.length > 0 && `SET ${sets.join(', ')}`, removes.length > 0 && `REMOVE ${removes.join(', ')}`];
  const text = clauses.filter(Boolean).join(' ');
  if (Buffer.byteLength(text) > expressionBytesMax) return undefined;
  return {
    UpdateExpression: text,
    ExpressionAttributeNames: Object.fromEntries([...names].map(([name, alias]) => [alias, name])),
    ExpressionAttributeValues: values,
  };
}

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
        ConditionExpression: `#${attribute} = :value`,
        ExpressionAttributeValues: { ':value': value },
      };

/** The same, or no item has the key. */
export const isNewOrStill = (attribute: string, value: unknown): Condition => ({
  ConditionExpression: `${isNew.ConditionExpression} OR #${attribute} = :value`,
  ExpressionAttributeValues: { ':value': value },
});

interface Conditional extends Partial<Condition> {
  readonly UpdateExpression?: string | undefined;
}

/**
 * A write as the table takes it. In its expressions, `#name` is the attribute `name`, unless it says otherwise. A failed
 * condition returns the stored item.
 */
export function completed<Write extends Conditional>(write: Write): Write {
  const { UpdateExpression = '', ConditionExpression = '', ExpressionAttributeNames } = write;
  const found = `${UpdateExpression} ${ConditionExpression}`.match(/#\w+/g) ?? [];
  const names = { ...Object.fromEntries(found.map((name) => [name, name.slice(1)])), ...ExpressionAttributeNames };
  return {
    ...write,
    ...(found.length > 0 && { ExpressionAttributeNames: names }),
    ...(ConditionExpression !== '' && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
  };
}

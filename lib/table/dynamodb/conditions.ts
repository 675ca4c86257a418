/** A condition of a write, for any of the commands that take one. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** No item has the key. */
export const isNew: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/** An attribute of the stored item has this value; with undefined, no item has the key. */
export const isStill = (attribute: string, value: unknown): Condition =>
  value === undefined
    ? isNew
    : {
        ConditionExpression: '#attribute = :value',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: { ':value': value },
      };

/** A write that says what it has found when its condition does not hold. */
export const returnStoredItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };

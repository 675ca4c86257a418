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

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

/** An item has the key. */
export const isStored: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/** The same, or no item has the key. */
export const isNewOrStill = (attribute: string, value: unknown): Condition => ({
  ConditionExpression: `${isNew.ConditionExpression} OR #${attribute} = :value`,
  ExpressionAttributeValues: { ':value': value },
});

/** An update that sets these attributes, and removes those that are undefined. In its condition they are `:name`. */
export function setting(attributes: Readonly<Record<string, unknown>>, condition?: Condition) {
  const [removed = [], set = []] = [true, false].map((isUndefined) =>
    Object.keys(attributes).filter((name) => (attributes[name] === undefined) === isUndefined),
  );
  const values = Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]]));
  const assigned = set.map((name) => `#${name} = :${name}`).join(', ');
  return {
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${assigned}`] : []),
      ...(removed.length > 0 ? [`REMOVE #${removed.join(', #')}`] : []),
    ].join(' '),
    ...condition,
    ...((set.length > 0 || condition?.ExpressionAttributeValues) && {
      ExpressionAttributeValues: { ...condition?.ExpressionAttributeValues, ...values },
    }),
  };
}

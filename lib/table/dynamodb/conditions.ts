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
  const names = Object.keys(attributes);
  const set = names.filter((name) => attributes[name] !== undefined);
  const removed = names.filter((name) => attributes[name] === undefined).map((name) => `#${name}`);
  const assigned = set.map((name) => `#${name} = :${name}`);
  const clause = (word: string, parts: readonly string[]) => (parts.length > 0 ? `${word} ${parts.join(', ')} ` : '');
  const own = Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]]));
  const values = { ...condition?.ExpressionAttributeValues, ...own };
  return {
    UpdateExpression: `${clause('SET', assigned)}${clause('REMOVE', removed)}`.trim(),
    ...condition,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

// Counts the actions of a caller in an hour of the clock. Times are in milliseconds since 1970.

const hourMilliseconds = 3_600_000;

const nextHour = (now: number): number => (Math.floor(now / hourMilliseconds) + 1) * hourMilliseconds;

/** The hour in UTC, as `2026-11-20T09`. */
export const hourOf = (now: number): string => new Date(now).toISOString().slice(0, 13);

/** The seconds until the next hour begins. */
export const secondsToNextHour = (now: number): number => Math.max(1, Math.ceil((nextHour(now) - now) / 1_000));

/** The update that adds to the count of an hour. Its condition fails when the sum would exceed `max`. */
export const addToHour = ({ amount, max, now }: { amount: number; max: number; now: number }) => ({
  UpdateExpression: 'SET #ttl = :ttl ADD amount :amount',
  ConditionExpression: 'attribute_not_exists(amount) OR amount <= :room',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: {
    ':amount': amount,
    ':room': max - amount,
    ':ttl': Math.ceil((nextHour(now) + hourMilliseconds) / 1_000),
  },
});

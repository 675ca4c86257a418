/** Time that remains for storing the reply after the model is stopped. */
export const reserveMilliseconds = 5_000;

export const replyMillisecondsMax = 120_000;

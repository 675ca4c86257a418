// Runs by itself in a function of the stack, so it imports nothing.

/**
 * Asks for a list with a key that does not exist. The right answer is 401: distribution, gateway, function and table
 * have all done their part.
 */
exports.handler = async () => {
  const answer = await fetch(`${process.env.ADDRESS}/api/public/cms/canary/list`, {
    headers: { 'x-api-key': 'canary-without-a-real-key' },
    signal: AbortSignal.timeout(8_000),
  });
  await answer.arrayBuffer();
  if (answer.status !== 401) throw new Error(`The public address answers ${answer.status}, and not 401.`);
};

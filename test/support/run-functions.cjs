// Plain JavaScript, so that a start pays for the functions and not for the types of this file.
'use strict';

/** Runs bundled functions as the Lambda runtime would, one event after the other, until it is killed. */
process.on('message', async ({ file, event }) => {
  const { handler } = require(file);
  const context = { awsRequestId: 'killed', getRemainingTimeInMillis: () => 60_000 };
  try {
    process.send({ result: (await handler(event, context)) ?? null });
  } catch (error) {
    process.send({ failure: String(error) });
  }
});
process.on('disconnect', () => process.exit(0));

/**
 * In how many milliseconds a call is answered whose dependencies fail: three seconds are promised (decisions.md section
 * 1), and a machine that runs other tests beside this one may add to them what the service is not to blame for.
 */
export const answerMillisecondsMax = 3_000 * Number(process.env['TEST_SLACK'] ?? 2);

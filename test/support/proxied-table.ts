import { afterAll } from '@jest/globals';
import { FaultProxy } from './fault-proxy.ts';

/**
 * Puts a proxy between the functions and the engine until the tests of the file have ended. Call it before the first
 * request, because the functions choose their table then.
 */
export async function startTableProxy(): Promise<FaultProxy> {
  const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const proxy = await FaultProxy.start(engine);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
  afterAll(async () => {
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = engine;
    await proxy.stop();
  });
  return proxy;
}

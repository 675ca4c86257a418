import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiEvent } from '../http/exchange.ts';
import type { FunctionHost } from './function-host.ts';
import type { Stats } from './stats.ts';

/**
 * Functions whose costs are summed up. A function keeps the state of a request on the event it was handed, and that
 * event is still in our hands when it has answered: its meter is there to be read, whatever the request came to.
 */
export const meteredFunctions = (functions: FunctionHost, stats: Stats): FunctionHost => ({
  invoke: async (name, event) => {
    try {
      return await functions.invoke(name, event);
    } finally {
      const meter = meterOf(event);
      if (meter) stats.count(meter);
    }
  },
});

/** @returns nothing for a function that opens no table */
const meterOf = (event: APIGatewayProxyEventV2 & Partial<Pick<ApiEvent, 'exchange'>>) => event.exchange?.meter;

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiEvent } from '../http/request-state.ts';
import type { FunctionHost } from './function-host.ts';
import type { Stats } from './stats.ts';

/**
 * Adds the cost of each call to the stats. A function stores the state of a request on its event. So the caller can
 * read the meter from the event, also after a failure.
 */
export function meteredFunctions(functions: FunctionHost, stats: Stats): FunctionHost {
  // A function without a table has no meter.
  const count = ({ state }: Answered) => state?.meter && stats.count(state.meter);
  return {
    invoke: (name, event, watchClient) => functions.invoke(name, event, watchClient).finally(() => count(event)),
    stream: (name, event, open) => functions.stream(name, event, open).finally(() => count(event)),
    web: (name) => {
      const web = functions.web(name);
      return (
        web &&
        (async (request, response) => {
          const answered = await web(request, response);
          count(answered);
          return answered;
        })
      );
    },
  };
}

type Answered = Partial<APIGatewayProxyEventV2> & Partial<Pick<ApiEvent, 'state'>>;

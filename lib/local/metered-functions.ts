import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiEvent } from '../http/request-state.ts';
import type { FunctionHost } from './function-host.ts';
import type { Stats } from './stats.ts';

/**
 * Functions whose costs are summed up. A function keeps the state of a request on the event it was handed, and that
 * event is still in our hands when it has answered: its meter is there to be read, whatever the request came to.
 */
export function meteredFunctions(functions: FunctionHost, stats: Stats): FunctionHost {
  // A function that opens no table has nothing to count.
  const count = ({ state }: Answered) => state?.meter && stats.count(state.meter);
  return {
    invoke: (name, event) => functions.invoke(name, event).finally(() => count(event)),
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

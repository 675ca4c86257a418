import type { EndpointFunction, TriggeredFunction } from '#lib/endpoints.ts';
import type { Declarations } from './synthesize.ts';

/** An endpoint with only the members that the stack reads. */
export const sampleEndpoint = (name: string, endpoint: Partial<EndpointFunction['endpoint']>): EndpointFunction => ({
  name,
  folder: '',
  entry: '',
  endpoint: {
    methods: ['GET'],
    path: '/things',
    summary: 'A thing.',
    keyIn: ['x-api-key'],
    uses: [],
    ...endpoint,
  } as EndpointFunction['endpoint'],
});

export const sampleTrigger = (name: string, trigger: Partial<TriggeredFunction['trigger']>): TriggeredFunction => ({
  name,
  trigger: { summary: 'Work on things.', everyMinutes: 1, uses: [], ...trigger },
});

/** One example of everything that a declaration can use. */
export const sampleDeclarations: Declarations = {
  endpoints: [
    sampleEndpoint('thing-read', { path: '/things/{id}', uses: ['table:read'] }),
    sampleEndpoint('thing-upload', {
      methods: ['POST'],
      path: '/things',
      requestBodyMode: 'streamed',
      uses: ['table:transact', 'files:write'],
    }),
    sampleEndpoint('thing-download', {
      path: '/files/{key+}',
      responseMode: 'streamed',
      uses: ['table:read', 'files:read'],
    }),
    sampleEndpoint('thing-talk', {
      methods: ['POST'],
      path: '/talk',
      responseMode: 'streamed',
      uses: ['table:read', 'model:invoke'],
      lambda: { timeoutSeconds: 300 },
    }),
    sampleEndpoint('thing-sign-in', { path: '/sign-in', keyIn: [], uses: ['table:read', 'identity:sign-in'] }),
    sampleEndpoint('thing-invite', {
      methods: ['POST'],
      path: '/invite',
      uses: ['table:read', 'table:access', 'identity:invite'],
    }),
  ],
  triggers: [
    sampleTrigger('thing-mail', {
      newItems: { partitionKeyPrefixes: ['THING#'] },
      everyMinutes: 1,
      uses: ['table:read', 'table:update', 'table:remove', 'mail:send'],
    }),
    sampleTrigger('thing-sweep', { everyMinutes: 5, uses: ['table:read', 'files:write'] }),
  ],
};

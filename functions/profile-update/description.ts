import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Sign-in',
  text: 'Changes the member of this workspace and no other of the same person. It is an audit event with the member as its actor.',
  path: {},
  query: {},
  body: {
    description: 'What is to change; what is absent stays.',
    members: {
      name: { description: 'The name that others see.' },
      language: { description: 'The language of the console; null leaves it to the browser.' },
    },
  },
  success: { description: 'The profile as it is now.' },
  refusals: [],
  examples: [
    { name: 'language', summary: 'The console in Arabic', session: 'lina@saffron.example', body: { language: 'ar' } },
  ],
});

import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Sign-in',
  text: 'Changes the member of this workspace, not other members of the same person. The audit event has the member as its actor.',
  body: {
    description: 'The properties to change.',
    properties: {
      name: { description: 'The name that others see.' },
      language: { description: 'The language of the console. `null` means that of the browser.' },
    },
  },
  success: { description: 'The changed profile.' },
  examples: [
    { name: 'language', summary: 'The console in Arabic', session: 'lina@saffron.example', body: { language: 'ar' } },
  ],
});

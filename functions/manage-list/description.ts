import { describeEndpoint } from '#lib/openapi/description.ts';
import { listTexts, managePath } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Lists stored records: products, categories, responses, notifications and attachments newest first, others by name. Follow `next` with the same query until it is `null`. A record that exists all the time occurs exactly once.',
  path: managePath,
  query: listTexts,
  success: { description: 'A page of records, and the cursor of the next page.' },
  examples: [
    {
      name: 'drinks',
      summary: 'The newest drink',
      key: 'admin',
      path: { kind: 'menu-products' },
      query: { categoryId: 'cat_drinks', limit: '1' },
    },
    {
      name: 'chefs',
      summary: 'The newest entry of a database',
      key: 'admin',
      path: { kind: 'cms-entries' },
      query: { modelId: 'chefs', limit: '1' },
    },
  ],
});

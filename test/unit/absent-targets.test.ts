import { expect, it } from '@jest/globals';
import { smallDocument, validated } from './document-file.ts';

// lib/spec/additions.md section 8

it('the warning of a relation names the record that it has found in another place', async () => {
  const document = smallDocument();
  Object.assign(document.cms.entries[0].values, { mentor: 'prod_1', signature: ['cat_1', 'chef_1', 'prod_9'] });
  expect((await validated(document)).warnings.map(({ message }) => message)).toEqual([
    'Must be of cms:chefs to be shown; prod_1 is of menu:product.',
    'Must be of menu:product to be shown; cat_1 is of menuCategory.',
    'Must be of menu:product to be shown; chef_1 is of cms:chefs.',
    'Must be of menu:product to be shown; there is no prod_9 yet.',
  ]);
});

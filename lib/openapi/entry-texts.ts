import { maxDepthDefault } from '#lib/cms/parameters.ts';

/** The parameters that select the shown fields of an entry. */
export const entryParameterTexts = {
  fields:
    'The fields to return, besides `id`. By default, the system fields and all visible fields. A relation without parentheses has the default fields of its entries.',
  includeHidden: 'Whether to include hidden fields, at every depth. Ignored for keys without `cms:entry:read-hidden`.',
  maxDepth: `The depth to which relations are expanded: \`0\` shows them as \`{ "id" }\`, \`1\` as entries, and so on. By default ${maxDepthDefault}, or less if the response would be larger than 5 MB.`,
} as const;

export const maxDepthHeader = {
  'x-cms-max-depth': {
    description: 'The depth to which relations were expanded.',
    schema: { type: 'integer', minimum: 0, maximum: 6 },
  },
} as const;

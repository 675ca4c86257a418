import { maxDepthDefault } from '#lib/cms/parameters.ts';

/** The parameters that select the shown fields of an entry. */
export const entryParameterTexts = {
  fields:
    'Which fields to answer, besides `id`. Without it an answer has the system fields and all visible fields; a relation that is named without parentheses has those of its entries.',
  includeHidden:
    'Whether to add hidden fields, at every depth. It has no effect for keys without `cms:entry:read-hidden`.',
  maxDepth: `How deep relations are expanded: \`0\` shows them as \`{ "id" }\`, \`1\` as entries, and so on. By default ${maxDepthDefault}, or less where the answer would be larger than 5 MB.`,
} as const;

export const maxDepthHeader = {
  'x-cms-max-depth': {
    description: 'How deep relations were expanded.',
    schema: { type: 'integer', minimum: 0, maximum: 6 },
  },
} as const;

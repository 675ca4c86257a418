import { maxDepthDefault } from '#lib/cms/parameters.ts';

/** The words for parameters and request headers that mean the same on most routes. A description may have its own. */
export const commonParameters = {
  locale:
    'A language of the workspace. Each localized text, at every depth, becomes the string in this language, or `null`. `*`, like no `locale`, returns objects with all languages.',
  fallback:
    'Languages for a text that is absent or blank in `locale`. The first one with the text is used. `*` means all languages of the workspace, in its order.',
  fields:
    'The fields to return, besides `id`. By default, the system fields and all visible fields. A relation without parentheses has the default fields of its entries.',
  includeHidden: 'Whether to include hidden fields, at every depth. Ignored for keys without `cms:entry:read-hidden`.',
  maxDepth: `The depth to which relations are expanded: \`0\` shows them as \`{ "id" }\`, \`1\` as entries, and so on. By default ${maxDepthDefault}, or less if the response would be larger than 5 MB.`,
  'If-None-Match': 'The `ETag` of an earlier response to the same request.',
} as const;

/** The response headers that mean the same on all routes. */
export const commonHeaders = {
  'content-language': { description: 'The `locale`; absent when texts are in all languages.', isOptional: true },
  'x-cms-max-depth': {
    description: 'The depth to which relations were expanded.',
    schema: { type: 'integer', minimum: 0, maximum: 6 },
  },
} as const;

import { maxDepthDefault } from '#lib/cms/parameters.ts';

/** The words for parts of paths, parameters and request headers that mean the same on most routes. A description may have its own. */
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
  'If-Match': 'One or more ETags, or `*`. The record is changed only if one of them matches the stored version.',
  'Idempotency-Key':
    'A unique string for this write. A retry within 24 hours changes nothing and gets the first response.',
  limit: 'The maximum number of items on a page.',
  cursor: 'The `next` of the previous page.',
  q: 'Only records with each of these words in a name, a title, a slug or an id. Spelling variants of letters and digits are equal.',
  kind: 'The kind of the record.',
  id: 'The id of the record.',
  modelId: 'The id of the CMS database.',
  version: 'The id of the version.',
} as const;

/** The response headers that mean the same on all routes. */
export const commonHeaders = {
  'content-language': { description: 'The `locale`; absent when texts are in all languages.', isOptional: true },
  'x-cms-max-depth': {
    description: 'The depth to which relations were expanded.',
    schema: { type: 'integer', minimum: 0, maximum: 6 },
  },
} as const;

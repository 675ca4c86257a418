/** The parameters that choose the language of texts. */
export const localeTexts = {
  locale:
    'A language of the workspace. Each localized text, at every depth, becomes the string in this language, or `null`. `*`, like no `locale`, returns objects with all languages.',
  fallback:
    'Languages for a text that is absent or blank in `locale`. The first one with the text is used. `*` means all languages of the workspace, in its order.',
} as const;

/** The same parameters for updates. A single language would overwrite all others. */
export const noLocaleTexts = {
  locale: 'Must be absent: an update takes and returns all languages.',
  fallback: 'Must be absent.',
} as const;

export const contentLanguageHeader = {
  'content-language': { description: 'The `locale`; absent when texts are in all languages.', isOptional: true },
} as const;

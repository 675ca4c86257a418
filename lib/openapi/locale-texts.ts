/** The parameters that choose the language of texts. */
export const localeTexts = {
  locale:
    'A language of the workspace: every object of language code to text, at every depth, becomes the text in this language, or `null`. `*` leaves the objects as they are, like no `locale` at all.',
  fallback:
    'Languages to take a text from that is not there, or blank, in `locale`: the first one that has it. `*` is any language of the workspace, in its order.',
} as const;

/** The same parameters where one language in place of all would overwrite them. */
export const noLocaleTexts = {
  locale: 'Has to be absent: an update takes and answers all languages.',
  fallback: 'Has to be absent.',
} as const;

export const contentLanguageHeader = {
  'content-language': { description: 'The `locale`; absent when texts are in all languages.', isOptional: true },
} as const;

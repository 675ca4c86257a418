import type { ListedLanguage } from './language-list.ts';

/** Shows a language by both of its names and its code. */
export function LanguageText({ language: { code, name, ownName } }: { readonly language: ListedLanguage }) {
  return (
    <>
      <span className="language-names">
        <span dir="auto">{name}</span>
        {ownName !== name && (
          <bdi className="hint" lang={code}>
            {ownName}
          </bdi>
        )}
      </span>
      {code !== name && (
        <code dir="ltr" className="hint">
          {code}
        </code>
      )}
    </>
  );
}

import { useId, useMemo, useState } from 'react';
import { useCatalogue, useFormatLocale, useTexts } from '../texts/use-texts.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { Empty } from '../ui/states.tsx';
import { findLanguages, isWhole, type ListedLanguage, languageOfCode, listedLanguages } from './language-list.ts';
import { LanguageText } from './language-text.tsx';
import { languageTexts } from './texts.ts';

interface Props {
  /** The code of the current choice. */
  readonly code?: string | null;
  /** Codes that are offered first. */
  readonly usual?: readonly string[];
  /** Codes that are not offered. */
  readonly except?: readonly string[];
  /** The label of the choice without a language. @default there is no such choice */
  readonly none?: string;
  readonly choose: (code: string | null) => void;
  readonly close: () => void;
}

/** A dialog that finds a language by its name or its code. */
export function LanguagePicker({ code, usual = [], except = [], none, choose, close }: Props) {
  const t = useCatalogue(languageTexts);
  const { cancel } = useTexts();
  const locale = useFormatLocale();
  const [search, setSearch] = useState('');
  const listed = useMemo(() => listedLanguages(locale), [locale]);
  const isSearched = search.trim() !== '';
  const shownUsual = isSearched ? [] : usual.map((code) => languageOfCode(code, locale));
  const hidden = new Set([...except, ...shownUsual.map((language) => language.code)]);
  const shown = findLanguages(listed, search, locale).filter(
    (language) => !hidden.has(language.code) && (isSearched || isWhole(language)),
  );
  const take = (next: string | null) => {
    choose(next);
    close();
  };
  const choices = { code, take };
  return (
    <Dialog title={t.choose} isOpen close={close}>
      <div className="stack">
        <SearchBox value={search} onSearch={setSearch} label={t.search} isFirst />
        {none !== undefined && !isSearched && (
          <button type="button" className="target-choice" aria-pressed={code === null} onClick={() => take(null)}>
            {none}
          </button>
        )}
        {shownUsual.length > 0 && <Choices title={t.usual} languages={shownUsual} {...choices} />}
        {shown.length === 0 ? (
          <Empty>{t.noMatch}</Empty>
        ) : (
          <Choices title={isSearched ? t.found : t.all} languages={shown} {...choices} />
        )}
      </div>
      <div className="actions">
        <button type="button" className="button" onClick={close}>
          {cancel}
        </button>
      </div>
    </Dialog>
  );
}

interface ChoicesProps {
  readonly title: string;
  readonly languages: readonly ListedLanguage[];
  readonly code: string | null | undefined;
  readonly take: (code: string) => void;
}

function Choices({ title, languages, code: chosen, take }: ChoicesProps) {
  const id = useId();
  return (
    <div className="stack">
      <p className="label" id={id}>
        {title}
      </p>
      <ul className="target-choices" aria-labelledby={id}>
        {languages.map((language) => (
          <li key={language.code}>
            <button
              type="button"
              className="target-choice"
              aria-pressed={language.code === chosen}
              onClick={() => take(language.code)}
            >
              <LanguageText language={language} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

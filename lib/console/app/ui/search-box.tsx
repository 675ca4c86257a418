import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { SearchIcon } from './icons.tsx';

interface Props {
  readonly value: string;
  /** Called a moment after the last letter. */
  readonly onSearch: (text: string) => void;
  readonly label?: string;
  /**
   * True to focus it initially, except on touch screens, where the keyboard would cover half the screen.
   * @default false
   */
  readonly isFirst?: boolean;
}

const pauseMilliseconds = 300;

export function SearchBox({ value, onSearch, label, isFirst = false }: Props) {
  const t = useTexts();
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const lastValue = useRef(value);
  useEffect(() => {
    if (isFirst && matchMedia('(pointer: fine)').matches) input.current?.focus();
  }, [isFirst]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      lastValue.current = text;
      onSearch(text);
    }, pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  useEffect(() => {
    // A link or the back button has changed the search. The old text must not undo that.
    if (value === lastValue.current) return;
    lastValue.current = value;
    setText(value);
  }, [value]);
  return (
    <search className="search-box">
      <SearchIcon />
      <input
        type="search"
        ref={input}
        aria-label={label ?? t.search}
        placeholder={label ?? t.search}
        value={text}
        // A placeholder reads in the direction of the page.
        dir={text === '' ? undefined : 'auto'}
        onChange={({ target }) => setText(target.value)}
      />
    </search>
  );
}

const foreignDigit = /[^\P{Nd}0-9]/gu;

/** A text with decimal digits of every script as ASCII digits. */
export const asciiDigits = (text: string): string => text.replace(foreignDigit, asciiDigit);

/** Unicode keeps the ten digits of a script together; some of these groups follow each other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (isDigit(code - before - 1)) before++;
  return String(before % 10);
}

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code));

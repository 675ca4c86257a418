/** Makes an unused key from the Latin letters and digits of a text. */
export function unusedKey(text: string, usedKeys: readonly string[], otherwise = 'field'): string {
  const words = text.normalize('NFD').match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
    .replace(/^\d+/, '')
    .slice(0, 60);
  // These two could reach the prototype of an object, so the service refuses them.
  const key = joined === '' || joined === 'constructor' || joined === 'prototype' ? otherwise : joined;
  if (!usedKeys.includes(key)) return key;
  for (let number = 2; ; number++) if (!usedKeys.includes(`${key}${number}`)) return `${key}${number}`;
}

/**
 * JSON texts as a list. The strings are appended one by one, because text around a joined list copies the list again.
 * @param before the text before the list
 * @param after the text after it
 */
export function jsonList(items: readonly string[], before = '', after = ''): string {
  let text = `${before}[`;
  for (const [index, item] of items.entries()) text += index === 0 ? item : `,${item}`;
  return `${text}]${after}`;
}

/** JSON texts as a list. They are appended one by one, because text around a joined list copies the list again. */
export function jsonList(items: readonly string[], before = '', after = ''): string {
  let text = `${before}[`;
  for (const [index, item] of items.entries()) text += index === 0 ? item : `,${item}`;
  return `${text}]${after}`;
}

/**
 * True for a key that an input method uses, such as Enter for a candidate. Safari ends the composition before this key,
 * and only the `keyCode` tells it from a key for the page.
 */
export const isOfInputMethod = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229;

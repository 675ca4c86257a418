/** Defaults of every function. */
export const memoryMegabytesDefault = 512;

/**
 * The Node options of a function. A small young generation and an explicit heap limit make Node collect garbage early.
 * This halves the memory of a function that reads many workspaces (npm run bench -- memory).
 * @param memoryMegabytes of the function; a quarter is left for memory outside the heap
 */
export const nodeOptionsFor = (memoryMegabytes: number): string =>
  `${smallYoungGeneration} --max-old-space-size=${Math.floor(memoryMegabytes * 0.75)}`;

const smallYoungGeneration = '--max-semi-space-size=4';

/** Defaults of every function. */
export const memoryMegabytesDefault = 512;

/**
 * What a function's Node is started with. A small young generation, and a heap whose limit it knows, make it collect
 * early: one that reads many workspaces in turn needs half the memory (npm run bench -- memory).
 * @param memoryMegabytes of the function; a quarter of it is left for what is not heap
 */
export const nodeOptionsFor = (memoryMegabytes: number): string =>
  `${smallYoungGeneration} --max-old-space-size=${Math.floor(memoryMegabytes * 0.75)}`;

const smallYoungGeneration = '--max-semi-space-size=4';

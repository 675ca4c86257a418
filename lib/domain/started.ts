/** Work that has begun and is awaited later, if at all. Until then, its failure is not an unhandled one. */
export function started<Work extends Promise<unknown>>(work: Work): Work {
  work.catch(() => undefined);
  return work;
}

/** A list that begins with another one of its members in each run, so that a long backlog delays none for ever. */
export function inTurn<Each>(all: readonly Each[]): Each[] {
  const start = Math.floor(Math.random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)];
}

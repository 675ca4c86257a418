import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second. */
const millisecondsPerTick = 10;

/** A process and all its descendants. */
export function processTree(pid: number): number[] {
  const children = Map.groupBy(allProcesses(), parentOf);
  const tree = [pid];
  for (const member of tree) tree.push(...(children.get(member) ?? []));
  return tree;
}

/** The processes of a tree that run the program with this name. */
export const processesNamed = (pid: number, name: string): number[] =>
  processTree(pid).filter((member) => read(`/proc/${member}/comm`).trim() === name);

/** The CPU time of processes so far, in user and kernel mode. */
export function cpuMilliseconds(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = statFields(pid);
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  });
  return ticks.reduce((sum, count) => sum + count, 0) * millisecondsPerTick;
}

/** The peak memory of a process. */
export const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;

/** The current memory of a process. */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;

/** Resets the peak memory of a process. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

function allProcesses(): number[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.map(Number);
}

const parentOf = (pid: number): number => Number(statFields(pid)[1] ?? 0);

/** The fields after the program's name, which may contain spaces and parentheses. */
function statFields(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Undefined for a process that has just ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

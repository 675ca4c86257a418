import type { HttpCall } from './http-load.ts';

/** What every compared service is asked to do; the goals are those of our service against the best of the others. */
export const workloads = {
  list20: { name: 'list 20', cpuGoal: 5, speedGoal: 3 },
  list100: { name: 'list 100', cpuGoal: 9, speedGoal: 6 },
  filter20: { name: 'filter + search + sort', cpuGoal: 3.5, speedGoal: 2 },
  depth2: { name: 'relations two deep', cpuGoal: 3, speedGoal: 2 },
  update: { name: 'update', cpuGoal: 3, speedGoal: 2 },
} as const;
export type Workload = keyof typeof workloads;

/** A running service with the sample data in it. */
export interface LoadTarget {
  readonly name: string;
  readonly port: number;
  readonly calls: Readonly<Record<Workload, HttpCall>>;
  /** The processes whose processor time counts. */
  readonly pids: () => readonly number[];
  /** The processes of a database engine, which are reported beside it. */
  readonly enginePids: () => readonly number[];
}

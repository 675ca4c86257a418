import type { HttpCall } from './http-load.ts';

/** The workloads of every compared service. The goals compare our service with the best of the others. */
export const workloads = {
  list20: { name: 'list 20', cpuGoal: 6.5, speedGoal: 5 },
  list100: { name: 'list 100', cpuGoal: 10, speedGoal: 8 },
  filter20: { name: 'filter + search + sort', cpuGoal: 4.5, speedGoal: 3.5 },
  depth2: { name: 'relations two deep', cpuGoal: 4, speedGoal: 2.5 },
  update: { name: 'update', cpuGoal: 3, speedGoal: 1.5 },
  mixed: { name: 'list 20 beside 20 updates a second', cpuGoal: 6.5, speedGoal: 5 },
} as const;
export type Workload = keyof typeof workloads;
/** `mixed` makes two of the others at once. */
export type CallName = Exclude<Workload, 'mixed'>;

/** A running service with the sample data. */
export interface LoadTarget {
  readonly name: string;
  readonly port: number;
  readonly calls: Readonly<Record<CallName, HttpCall>>;
  /** The processes whose CPU time counts. */
  readonly pids: () => readonly number[];
  /** The processes of a database engine, which are reported separately. */
  readonly enginePids: () => readonly number[];
}

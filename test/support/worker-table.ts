/** The name of the table that the test files of one worker share. They run one after the other. */
export const workerTable = (worker: number | string): string => `workspace-test-${worker}`;

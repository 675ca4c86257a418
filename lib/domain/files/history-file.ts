/** Versions are kept for so many days, unless the deployment says otherwise. */
export const historyDaysDefault = 90;

/** Below this prefix the bucket has large states of records (lib/table/history). No route sends a file from here. */
export const historyPrefix = 'history/';

/** @param name a random one, so that no file is ever overwritten */
export const historyKey = (workspaceId: string, name: string): string => `${historyPrefix}${workspaceId}/${name}`;

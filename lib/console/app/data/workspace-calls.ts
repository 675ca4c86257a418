import type { StoredRecord, VersionedRecord } from '#lib/client/records.ts';
import { transport } from './client.ts';
import type { RecordCalls } from './records.ts';

const path = '/api/v1/manage/workspace';

async function send(method: 'GET' | 'PATCH', json?: unknown, ifMatch?: string): Promise<VersionedRecord> {
  const request = { method, path, headers: { 'if-match': ifMatch }, isRepeatable: method === 'GET' };
  const response = await transport.send(json === undefined ? request : { ...request, json });
  return { record: (await response.json()) as StoredRecord, etag: response.headers.get('etag') ?? '' };
}

const onlyOne = () => Promise.reject(new Error('There is one workspace.'));

/** The calls for the settings of the workspace, in the form of other records. */
export const workspaceCalls: RecordCalls = {
  list: onlyOne,
  create: onlyOne,
  delete: onlyOne,
  get: () => send('GET'),
  update: (_, patch, options) => send('PATCH', patch, options?.ifMatch),
};

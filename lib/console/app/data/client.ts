import { WorkspaceClient } from '#lib/client/client.ts';
import { Transport } from '#lib/client/transport.ts';

const baseUrl = location.origin;

/** Calls the service of the page's origin. The session cookie identifies the caller. */
export const client = new WorkspaceClient({ baseUrl });
export const transport = new Transport({ baseUrl });

import { WorkspaceClient } from '#lib/client/client.ts';
import { Transport } from '#lib/client/transport.ts';

const baseUrl = location.origin;

/** Calls the service that the page came from. The cookie of the session says who calls. */
export const client = new WorkspaceClient({ baseUrl });
export const transport = new Transport({ baseUrl });

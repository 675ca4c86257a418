import type { WorkspaceEvent } from '#lib/domain/events/workspace-event.ts';

const recordBytesMax = 200 * 1024;

/**
 * The body of a request (lib/spec/additions.md section 5, "Request").
 * @param record as the receiver may see it now; null if it is gone. A long one is left out
 */
export function requestBody(event: WorkspaceEvent, workspaceId: string, record: object | null): string {
  const { type, at, kind, recordId, changed, actor } = event;
  const about = JSON.stringify({ workspaceId, kind, recordId, changed, actor });
  const json = JSON.stringify(record);
  const rest = Buffer.byteLength(json) > recordBytesMax ? '"truncated":true' : `"record":${json}`;
  // The record is serialised once: most of the body is its text.
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(at)},"data":${about.slice(0, -1)},${rest}}}`;
}

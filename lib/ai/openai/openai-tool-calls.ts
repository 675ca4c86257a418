import type { ToolCallAssembly } from '../reply-assembly.ts';

/**
 * Adds the `tool_calls` of a delta, which may have any shape.
 * @param idPrefix for ids of calls that have none
 * @throws ModelError if they exceed the maximum size
 */
export function addToolCalls(calls: ToolCallAssembly, pieces: unknown, idPrefix: string): void {
  if (!Array.isArray(pieces)) return;
  for (const [position, piece] of pieces.entries()) {
    const { index: sentIndex, id: sentId, function: called } = (piece ?? {}) as Record<string, unknown>;
    const index = typeof sentIndex === 'number' ? sentIndex : position;
    const id = typeof sentId === 'string' ? sentId.slice(0, 200) : '';
    const callId = calls.idAt(index);
    // Some servers give every call the same index; a new id is a new call.
    if (callId === undefined || (id !== '' && callId !== id)) calls.begin(index, id || `${idPrefix}${calls.count}`);
    const { name, arguments: input } = (called ?? {}) as Record<string, unknown>;
    calls.add(index, { name: typeof name === 'string' ? name : '', input: typeof input === 'string' ? input : '' });
    if (input && typeof input !== 'string') calls.replaceInput(index, JSON.stringify(input));
  }
}

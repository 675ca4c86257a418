/** A `traceparent` header (W3C Trace Context). Later versions may append members, which are ignored. */
const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(-.*)?$/;

/** The trace that a request belongs to. */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Two hexadecimal digits: whether the caller records the trace. */
  readonly flags: string;
}

/** @returns undefined if the header is absent or malformed */
export function readTrace(header: string | undefined): Trace | undefined {
  const [, version, id, flags, rest] = pattern.exec(header?.trim() ?? '') ?? [];
  return id === undefined || flags === undefined || (version === '00' && rest !== undefined)
    ? undefined
    : { id, flags };
}

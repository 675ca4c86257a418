/** The parts of a request that writes one record. */
export interface WriteRequest {
  readonly headers: {
    readonly 'If-Match'?: string | undefined;
    readonly 'If-None-Match'?: string | undefined;
    readonly 'Idempotency-Key'?: string | undefined;
  };
  readonly body?: unknown;
  /** For the log line: the ids of the records that the request changed. */
  readonly logDetails: Record<string, string | readonly string[]>;
}

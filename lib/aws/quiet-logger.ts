type Write = (...content: unknown[]) => void;

/**
 * A logger for the clients of the AWS SDK. The SDK's default logger writes nothing. But because it has `info`, the SDK
 * traverses and redacts every response, which costs much CPU. This one has no `info`.
 */
export const quietLogger = { trace() {}, debug() {}, warn() {}, error() {} } as unknown as Record<
  'trace' | 'debug' | 'info' | 'warn' | 'error',
  Write
>;

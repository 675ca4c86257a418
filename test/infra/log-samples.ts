// Lines in the log groups of functions. The service's lines come from lib/http/log-line.ts, and alarm-lines.test.ts compares
// them with real ones. Lambda's lines are from the JSON log format in its developer guide.

export const ownErrorLine = {
  level: 'error',
  time: '2026-11-20T09:00:00.000Z',
  message: 'A form response could not be mailed and is parked.',
};

export const warningLine = {
  level: 'warn',
  time: '2026-11-20T09:00:00.000Z',
  message: 'A form response could not be mailed yet.',
};

export const requestLine = {
  level: 'info',
  time: '2026-11-20T09:00:00.000Z',
  route: '/api/public/menu/products',
  status: 200,
};

/** An uncaught exception of the handler. */
export const errorLine = {
  timestamp: '2026-11-20T09:00:00Z',
  level: 'ERROR',
  requestId: '79b4f56e-95b1-4643-9700-2807f4e68189',
  errorType: 'TypeError',
  errorMessage: 'Cannot read properties of undefined',
  stackTrace: [],
};

/** An exception while the function is loaded, or the end of the process. */
export const crashLine = {
  time: '2026-11-20T09:00:00.000Z',
  type: 'platform.report',
  record: { requestId: '79b4f56e-95b1-4643-9700-2807f4e68189', status: 'error', errorType: 'Runtime.ExitError' },
};

export const timeoutLine = {
  time: '2026-11-20T09:00:00.000Z',
  type: 'platform.report',
  record: { requestId: '79b4f56e-95b1-4643-9700-2807f4e68189', status: 'timeout', metrics: { durationMs: 10000 } },
};

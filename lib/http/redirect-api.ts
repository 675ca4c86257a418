import middy from '@middy/core';
import { asHttpError } from './as-http-error.ts';
import type { Endpoint } from './endpoint.ts';
import { HttpError } from './errors.ts';
import { logFailure } from './log.ts';
import { answer } from './middleware/answer.ts';
import { matchRoute } from './middleware/match-route.ts';
import { requireOrigin } from './middleware/require-origin.ts';
import type { ApiEvent, ApiResult } from './request-state.ts';

/** The next address of a browser, and its cookies. */
export interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
  /** Further members of the log line. */
  readonly logDetails?: Readonly<Record<string, string>>;
}

interface Redirecting {
  readonly handle: (event: ApiEvent) => Redirect | Promise<Redirect>;
  /** The redirect after an error. A person sees the answer, so errors are never JSON. */
  readonly onFailure: (error: unknown) => Redirect;
  /** Whether the error is a bug or an outage, which is logged with its cause. */
  readonly isOutage: (error: unknown) => boolean;
}

type Middleware = Exclude<Parameters<ReturnType<typeof middy<ApiEvent, ApiResult>>['use']>[0], readonly unknown[]>;

/** Wraps an endpoint that redirects a browser. It identifies no caller and shows no input. */
export const redirectApi = (
  endpoint: Endpoint,
  { handle, onFailure, isOutage }: Redirecting,
  before: readonly Middleware[] = [],
) =>
  middy<ApiEvent, ApiResult>()
    .use(answer(endpoint.path))
    .use(matchRoute(endpoint))
    .use([...before])
    .handler(async (event: ApiEvent): Promise<ApiResult> => {
      const { location, cookies, logDetails } = await requireOrigin()
        .before({ event })
        .then(() => handle(event))
        .catch((error: unknown) => {
          // Browsers come through CloudFront. All other callers get the error.
          if (error instanceof HttpError && error.statusCode < 500) throw error;
          if (isOutage(error)) {
            logFailure(endpoint.path, event, asHttpError(error), error);
          }
          return onFailure(error);
        });
      Object.assign(event.state.logDetails, logDetails);
      return {
        statusCode: 302,
        headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
        cookies: [...cookies],
      };
    });

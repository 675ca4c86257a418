import type { SuccessDescription } from './description.ts';

/** Headers of responses that are the same for all callers. */
export const publicHeaders = {
  etag: { description: 'Identifies the content, for `If-None-Match`.' },
  'cache-control': { description: 'Any cache may store it for five minutes.' },
};

/** The same headers for the console: its page changes with a deployment, its files never change. */
export const consoleHeaders = {
  etag: { description: 'Identifies the content, for `If-None-Match`.' },
  'cache-control': {
    description:
      'The page is revalidated on each request. A script or style sheet may be cached forever, `notices.txt` for an hour.',
  },
};

export const pageHeaders = {
  'content-security-policy': { description: 'The sources from which the page may load.' },
  'referrer-policy': { description: 'Always `no-referrer`.' },
};

/** The 304 of a public file. @param noun for the body: `page`, `script` */
export const unchanged = (noun: string, headers: Required<SuccessDescription>['headers']) => ({
  304: { description: `The ${noun} has the \`ETag\` in \`If-None-Match\`; there is no body.`, headers },
});

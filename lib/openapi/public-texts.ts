/** Headers of answers that are the same for all callers. */
export const publicHeaders = {
  etag: { description: 'Names this content; send it back as `If-None-Match`.' },
  'cache-control': { description: 'Everybody may keep it, for five minutes.' },
};

/** The same for the console: its page changes with a deployment, its files never do. */
export const consoleHeaders = {
  etag: { description: 'Names this content; send it back as `If-None-Match`.' },
  'cache-control': { description: 'The page is asked for every time; a file may be kept for ever.' },
};

/** Of a page, beside those above. */
export const pageHeaders = {
  'content-security-policy': { description: 'What the page may load, and from where.' },
  'referrer-policy': { description: 'Always `no-referrer`.' },
};

export const unchangedPublic = {
  304: { description: 'The caller has it already; there is no body.', headers: publicHeaders },
};

export const unchangedConsole = {
  304: { description: 'The caller has it already; there is no body.', headers: consoleHeaders },
};

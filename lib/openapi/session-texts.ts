import type { HeaderDescription } from './description.ts';

type Headers = Readonly<Record<string, HeaderDescription>>;

export const redirectHeaders: Headers = {
  location: { description: 'Where the browser goes next.' },
  'set-cookie': { description: 'A cookie that no script sees.', isOptional: true },
  'cache-control': { description: 'Always `no-store`.' },
  'referrer-policy': { description: 'Always `no-referrer`.' },
};

export const sessionCookieHeader: Headers = {
  'set-cookie': { description: 'The cookie of the session, which no script sees.' },
};

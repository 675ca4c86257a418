import type { HeaderDescription } from './description.ts';

type Headers = Readonly<Record<string, HeaderDescription>>;

export const redirectHeaders: Headers = {
  location: { description: 'The URL of the next page.' },
  'set-cookie': { description: 'A cookie that scripts cannot read.', isOptional: true },
  'cache-control': { description: 'Always `no-store`.' },
  'referrer-policy': { description: 'Always `no-referrer`.' },
};

export const sessionCookieHeader: Headers = {
  'set-cookie': { description: 'The cookie of the session. Scripts cannot read it.' },
};

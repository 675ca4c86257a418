import { type Answer, call } from './call.ts';
import { serviceUrl } from './sign-in.ts';

/** The name and the value of a `Set-Cookie`. */
export const cookieIn = (setCookie = ''): string => setCookie.split(';', 1)[0] ?? '';

/** A browser at the local issuer. It follows redirects there and keeps the issuer's cookies. */
export class IssuerBrowser {
  readonly #cookies = new Map<string, string>();

  /** Follows redirects from an address until a page is shown, or the service is reached. */
  async open(address: string, form?: Readonly<Record<string, string>>): Promise<{ url: string; html: string }> {
    let url = address;
    let body = form && new URLSearchParams(form);
    for (;;) {
      if (url.startsWith(serviceUrl)) return { url, html: '' };
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body && { method: 'POST', body }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = '', value = ''] = cookieIn(cookie).split(/=(.*)/s);
        this.#cookies.set(name, value);
      }
      const next = response.headers.get('location');
      if (next === null) return { url, html: await response.text() };
      url = new URL(next, url).href;
      body = undefined;
    }
  }

  /** Chooses an address on the issuer's page, or continues without a page. @returns the callback's address */
  async choose(address: string, authorizeUrl: string): Promise<string> {
    const page = await this.open(authorizeUrl);
    return page.url.startsWith(serviceUrl) ? page.url : (await this.open(page.url, { address })).url;
  }
}

/** Signs in at the issuer, up to the callback. @returns the callback's request, and the cookie of the login */
export async function loginAs(
  address: string,
  { query = '', browser = new IssuerBrowser() }: { readonly query?: string; readonly browser?: IssuerBrowser } = {},
): Promise<{ readonly request: string; readonly cookie: string }> {
  const login = await call(`GET /api/v1/session/login${query}`);
  const back = await browser.choose(address, login.headers['location'] ?? '');
  return { request: `GET ${back.slice(serviceUrl.length)}`, cookie: cookieIn(login.cookies[0]) };
}

/** A complete sign-in. @returns the answer of the callback */
export async function signInAs(address: string, options: Parameters<typeof loginAs>[1] = {}): Promise<Answer> {
  const { request, cookie } = await loginAs(address, options);
  return call(request, { headers: { cookie } });
}

import { expectStatus } from './expect-status.ts';

/** The first password in the only invitation that the user pool has mailed. */
export function firstPassword(mails: string): string {
  const [, password] = /First password: (.+?)(?:<|\\u003c)/.exec(mails) ?? [];
  if (password === undefined) throw new Error(`No invitation was mailed, but: ${mails.slice(0, 500)}`);
  return JSON.parse(`"${password}"`).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

const chosenPassword = 'Chosen-by-its-owner-1';

/** A member's browser with the functions that the story needs: it keeps cookies and submits forms. */
export class SignedInMember {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  /** @param url the address of the distribution */
  constructor(url: string) {
    this.#url = url;
  }

  /** @throws when an answer is unexpected */
  async tellStory({ address, password }: { readonly address: string; readonly password: string }): Promise<void> {
    await this.#signIn(address, password);
    const profile = await expectStatus(200, this.#send('GET', '/api/v1/profile'));
    if ((profile as { email?: string }).email !== address) throw new Error('The profile is that of somebody else.');
    await expectStatus(403, this.#send('POST', '/api/v1/manage/api-keys', { name: 'Forged' }, 'cross-site'));
    const key = (await expectStatus(201, this.#send('POST', '/api/v1/manage/api-keys', { name: 'Made' }))) as {
      readonly id: string;
      readonly secret: string;
    };
    const use = () => fetch(`${this.#url}/api/public/cms/chefs/list`, { headers: { 'x-api-key': key.secret } });
    await expectStatus(200, use());
    const revokedAt = new Date().toISOString();
    await expectStatus(200, this.#send('PATCH', `/api/v1/manage/api-keys/${key.id}`, { revokedAt }));
    await expectStatus(401, use());
    await expectStatus(200, this.#send('DELETE', '/api/v1/session'));
    await expectStatus(401, this.#send('GET', '/api/v1/profile'));
  }

  /** Uses the pages of the user pool, which require a new password. */
  async #signIn(username: string, password: string): Promise<void> {
    const login = await this.#redirect('/api/v1/session/login');
    const asked = await (await fetch(login)).text();
    const choosing = await submit(login, asked, { username, password });
    const chosen = { new_password: chosenPassword, confirm_password: chosenPassword };
    const answer = await submit(login, await choosing.text(), chosen);
    const back = new URL(answer.headers.get('location') ?? '', login);
    const end = await this.#redirect(`${back.pathname}${back.search}`);
    if (new URL(end, this.#url).pathname + new URL(end, this.#url).hash !== '/console') {
      throw new Error(`The sign-in ends at ${end}.`);
    }
  }

  /** @returns the address in the redirect */
  async #redirect(path: string): Promise<string> {
    const answer = await this.#send('GET', path);
    if (answer.status !== 302) throw new Error(`GET ${path.split('?')[0]} is ${answer.status}: ${await answer.text()}`);
    return answer.headers.get('location') ?? '';
  }

  async #send(method: string, path: string, body?: object, site = 'same-origin'): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': site, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }
}

/** Submits the form of a page with the values of its hidden fields. */
function submit(address: string, page: string, typed: Readonly<Record<string, string>>): Promise<Response> {
  const [, action = ''] = /<form [^>]*action="([^"]*)"/.exec(page) ?? [];
  if (action === '') throw new Error(`There is no form: ${page.slice(0, 500)}`);
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const fields = hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]);
  const body = new URLSearchParams([...fields, ...Object.entries(typed)] as [string, string][]);
  return fetch(new URL(action, address), { method: 'POST', body, redirect: 'manual' });
}

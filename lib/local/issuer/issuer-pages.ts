import { escapeHtml } from '#lib/domain/text/escape-html.ts';
import type { LocalPerson } from './issuer-people.ts';

/**
 * The pages have no scripts and load nothing from other origins. There is no `form-action`, because Chromium also
 * applies it to the redirect after a form, which leads to the service.
 */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 32rem; padding: 0 1rem; }
  form { display: grid; gap: .75rem; }
  button { font: inherit; text-align: start; padding: .75rem 1rem; cursor: pointer; }
  small { display: block; }
`;

/** Has one button for each address. @param uid id of the current login */
export const signInPage = (uid: string, people: readonly LocalPerson[]): string =>
  page(
    'Sign in',
    `<p>This page stands in for an identity provider. It exists only on this machine, and asks for no password.</p>
${people.length === 0 ? '<p>No member of a loaded workspace has an e-mail address.</p>' : ''}
<form method="post" action="/sign-in/${escapeHtml(uid)}">
${people.map(button).join('\n')}
</form>
<form method="post" action="/sign-in/${escapeHtml(uid)}/cancel"><p><button>Cancel</button></p></form>`,
  );

/** @param form HTML from the library, with the secret of this session */
export const signOutPage = (form: string): string =>
  page(
    'Sign out',
    `${form}
<p>Sign out of the local identity provider, too?</p>
<p><button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button></p>`,
  );

export const messagePage = (message: string): string => page('Sign in', `<p>${escapeHtml(message)}</p>`);

const button = ({ address, names, workspaces }: LocalPerson): string =>
  `<button name="address" value="${escapeHtml(address)}"><bdi>${escapeHtml(names.join(', '))}</bdi> <small>${escapeHtml(address)}</small> <small><bdi>${escapeHtml(workspaces.join(', '))}</bdi></small></button>`;

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} (local)</title>
<style>${style}</style>
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`;

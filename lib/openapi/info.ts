import type { Tag } from './description.ts';

/** Headings, in the order of the document. */
export const tags: readonly { readonly name: Tag; readonly description: string }[] = [
  { name: 'CMS', description: 'Entries of the CMS databases of a workspace.' },
  { name: 'Menu', description: 'Products and categories of the menu.' },
  { name: 'Forms', description: 'Forms, and the responses to them.' },
  {
    name: 'Messaging',
    description: 'Files and AI replies for conversations. Keys have to belong to a workspace member.',
  },
  {
    name: 'Management',
    description:
      'Records as a workspace document has them: create, read, replace, change and delete. Send an API key in a header.',
  },
  {
    name: 'Sign-in',
    description:
      'The session and the profile of a signed-in member. It is for browsers: they send the cookie by themselves.',
  },
  { name: 'About this API', description: 'This description and its reference page. No key is needed.' },
];

/** General rules of the API, in Markdown. */
export const apiDescription = `Read and update the content of a workspace, list its menu, take responses to its forms, and work with files and AI replies
in its conversations. Every key sees the one workspace that it belongs to; what belongs to another answers like what does not exist.

## Keys

Send the key as each route says: \`Authorization: Bearer <API_KEY>\` is preferred, \`x-api-key\` works wherever it does; menu and form
routes read the query parameter \`apiKey\` only. Keys belong on servers, never into the code of a web page or an app. Two different
keys in one request, or one given twice, are refused.

## Sessions

In a browser a signed-in member needs no key: \`GET /api/v1/session/login\` begins a session, whose cookie no script sees. The routes that take it
name \`cookieAuth\`. A request that carries a key anywhere is judged by the key alone. A change by session has to come from a page of the
same origin, else it is 403 \`cross_origin\`. A deactivated member, a removed permission and an ended session count with the next request.

## Requests

HEAD works wherever GET does: the same status and headers, and no body. Paths have no trailing slash. A query parameter may be
given once; an empty one counts as absent. One that an address does not take has no effect: every answer to a key that counts
names such parameters in \`x-ignored-parameters\`. Numbers are at most 15 plain decimal digits without sign
or leading zeros, booleans are exactly \`true\` or \`false\`.
A method that an address does not take is answered with 405 \`method_not_allowed\` and \`Allow\`, an unknown address with 404
\`not_found\`.

## Answers

Every answer has \`x-request-id\`. Answers in JSON have \`X-Content-Type-Options: nosniff\`, and \`Cache-Control: private, no-cache\` where
the call says nothing else. To a page of a visitor's website the routes that take its token also send \`Access-Control-Allow-Origin\` and
\`Access-Control-Expose-Headers\` (\`ETag\`, \`x-request-id\`, \`Retry-After\`), and they answer its preflights with 204.

## Errors

Every error is JSON: \`{ "message", "code" }\`, and on a 400 also \`errors\`, a list of \`{ "path", "code", "message" }\` with everything that is
wrong at once. \`message\` is for people, \`code\` is stable and for programs. The one exception is \`{ "message": "Form not found." }\`.
Reasons to refuse a request are looked at in this order: address, method, key, permission, media type, size, query and body, what
they name, \`If-Match\`. A refused request changes nothing. After a 503 try again when \`Retry-After\` seconds have passed.

## Caching

Answers to GET have an \`ETag\`. Send it back as \`If-None-Match\`: while nothing has changed the answer is 304 without a body, and a menu
list costs a fraction then. The tag of a single CMS entry names its stored version instead; send it as \`If-Match\` with an update.

## Limits

A deployment may limit how many calls a key makes in a minute. Every answer to a key then has \`RateLimit\` (\`r\` calls are left, all of
them again in \`t\` seconds) and \`RateLimit-Policy\` (\`q\` calls in \`w\` seconds); what is over the limit is 429 \`rate_limited\` with
\`Retry-After\`.

## In front of the service

On AWS some requests are answered before the service sees them, in other words and without \`x-request-id\`: 413 and 414 for what is too
large, 429 above the throttling of the stage, 431 for headers that are too large, 502, 503 and 504 when a function cannot be reached.
Behind function URLs \`WWW-Authenticate\` and \`Content-Length\` may arrive as \`x-amzn-Remapped-...\`.`;

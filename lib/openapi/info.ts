import type { Tag } from './description.ts';

/** Headings, in the order of the document. */
export const tags: readonly { readonly name: Tag; readonly description: string }[] = [
  { name: 'CMS', description: 'Entries of the CMS databases of a workspace.' },
  { name: 'Menu', description: 'Products and categories of the menu.' },
  { name: 'Forms', description: 'Forms, and the responses to them.' },
  {
    name: 'Messaging',
    description:
      'Conversations with customers: messages, files and AI replies. Keys must belong to a workspace member.',
  },
  {
    name: 'Management',
    description:
      'Records in the form of a workspace document: create, read, replace, change and delete. Send an API key in a header.',
  },
  { name: 'Events', description: 'What has changed in a workspace, to follow it.' },
  {
    name: 'Sign-in',
    description:
      'The session and the profile of a signed-in member, for browsers, which send the cookie automatically.',
  },
  { name: 'About this API', description: 'This description and its reference page. No key is needed.' },
];

/** General rules of the API, in Markdown. */
export const apiDescription = `Read and update the content of a workspace, list its menu, and take responses to its forms. Exchange messages, files and AI replies
in its conversations. Each key has access to one workspace. Records of another workspace are 404, like missing ones.

## Keys

Prefer \`Authorization: Bearer <API_KEY>\`; \`x-api-key\` works on the same routes. Menu and form routes read only the query parameter
\`apiKey\`. Keep keys on servers, never in the code of a web page or an app. Two different keys in one request, or a repeated key,
are refused.

## Sessions

In a browser, a signed-in member needs no key. \`GET /api/v1/session/login\` begins a session with a cookie that scripts cannot read. Routes
that accept it name \`cookieAuth\`. If a request also contains a key, only the key counts. A change by session must come from a page of the
same origin, else it is 403 \`cross_origin\`. Deactivation, a removed permission and the end of a session apply from the next request on.

## Requests

HEAD works wherever GET does: the same status and headers, and no body. Paths have no trailing slash. A query parameter may occur
once; an empty one counts as absent. Unknown parameters are ignored: a response to a valid key names them in
\`x-ignored-parameters\`. Numbers have at most 15 plain decimal digits without sign or leading zeros. Booleans are exactly \`true\` or
\`false\`. No text of a body contains NUL (U+0000) or a lone surrogate. An unsupported method gets 405 \`method_not_allowed\` with \`Allow\`. An unknown path gets 404 \`not_found\`.

## Responses

Every response has \`x-request-id\`. JSON responses have \`X-Content-Type-Options: nosniff\`, and by default \`Cache-Control: private, no-cache\`.
Routes that accept a visitor's token also send \`Access-Control-Allow-Origin\` and \`Access-Control-Expose-Headers\` (\`ETag\`,
\`x-request-id\`, \`Retry-After\`) to pages of the visitor's website. They respond to its preflight requests with 204.

## Errors

Every error is JSON: \`{ "message", "code" }\`. A 400 also has \`errors\`, a list of all errors: \`{ "path", "code", "message" }\`. \`message\` is
for people, \`code\` is stable and for programs. The one exception is \`{ "message": "Form not found." }\`. Requests are checked in this
order: path, method, key, permission, media type, size, query and body, referenced records, \`If-Match\`. A refused request
changes nothing. After a 503, retry after \`Retry-After\` seconds.

## Caching

Responses to GET have an \`ETag\`. Calls that list the status 304 take it as \`If-None-Match\`: if nothing has changed, the response is 304
without a body, and costs much less. A single record with localized texts, form response or API key is never 304, because it depends on more
than its stored record. The \`ETag\` of a single record is its stored version; send it as \`If-Match\` with an update.

## Limits

A deployment may limit the requests of a key per minute. Every response to a key then has \`RateLimit\`: \`r\` requests are left, and the
quota is full again in \`t\` seconds. \`RateLimit-Policy\` has the quota: \`q\` requests in \`w\` seconds. A request above the limit gets 429 \`rate_limited\` with
\`Retry-After\`.

## In front of the service

On AWS, API Gateway or the CDN refuses some requests itself, with other messages and without \`x-request-id\`. The status is 413 or 414 for
requests that are too large, 429 above the throttling of the stage, and 431 for headers that are too large. It is 502, 503 or 504 if a
function cannot be reached. Behind function URLs, \`WWW-Authenticate\` and \`Content-Length\` may arrive as \`x-amzn-Remapped-...\`.`;

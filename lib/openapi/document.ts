import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { findEndpoints, functionsFolder } from '#lib/endpoints.ts';
import type { DeclaredRoute } from '#lib/http/declaration.ts';
import { routesOf } from '#lib/http/endpoint.ts';
import { textsOf } from '#lib/kinds/kind-endpoints.ts';
import { kindOf, managedKindAt } from '#lib/kinds/kinds.ts';
import type { ReplyEvent } from '#lib/messaging/reply-event.ts';
import { componentSchemas } from './components.ts';
import type { Description, WholeOrLike } from './description.ts';
import { apiDescription, tags } from './info.ts';
import type { Json } from './json-schema.ts';
import { type CapturedResponses, operationsOf, securitySchemes } from './operation.ts';
import { componentHeaders } from './responses.ts';
import { writeWords } from './write-texts.ts';

export interface OpenApiDocument extends Json {
  readonly openapi: '3.1.1';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: Readonly<Record<'schemas' | 'headers', Readonly<Record<string, Json>>>> & {
    readonly securitySchemes: Json;
  };
}

/** The recorded responses of the examples, by operation and example. A test compares them with real responses. */
export const capturedFile = new URL('./examples.json', import.meta.url);

/** Describes every endpoint of the service, from its declaration and its description file. */
export async function openApiDocument(root = functionsFolder): Promise<OpenApiDocument> {
  const [routes, captured] = await Promise.all([
    describedRoutes(root),
    readFile(capturedFile, 'utf8').then((json): Record<string, CapturedResponses> => JSON.parse(json)),
  ]);
  const paths: Record<string, Record<string, Json>> = {};
  const schemas: Record<string, Json> = {
    ...componentSchemas(),
    ReplyEvent: replyEventSchema(),
  };
  for (const { name, endpoint, description } of byHeading(routes)) {
    const { byMethod, schemas: own } = operationsOf({ name, endpoint }, description, captured[name] ?? {});
    const path = endpoint.path.replace('+}', '}');
    paths[path] = { ...paths[path], ...byMethod };
    Object.assign(schemas, own);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Workspace API',
      version: '1.0.0',
      description: apiDescription,
      // Linters and validators require an SPDX expression or an address beside the name.
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    servers: [{ url: '/', description: 'The server that this description was read from.' }],
    tags,
    paths,
    components: { schemas, headers: componentHeaders, securitySchemes },
  };
}

/** A route with the words of its description. */
interface DescribedRoute extends Pick<DeclaredRoute, 'endpoint'> {
  /** The name of its operation. */
  readonly name: string;
  readonly description: Description;
}

/** The routes of all endpoints, in the order of the functions. */
export async function describedRoutes(root = functionsFolder): Promise<DescribedRoute[]> {
  const described = (await findEndpoints(root)).map(async ({ name, folder, endpoint }) => {
    const { description } = await import(pathToFileURL(join(folder, 'endpoint.ts')).href);
    if (!description) throw new Error(`functions/${name}/endpoint.ts must export its \`description\`.`);
    const words: Words = description();
    return routesOf(endpoint).map((route) => ({
      name: route.operation ?? name,
      endpoint: route.endpoint,
      description: wordsOf(words, route.name),
    }));
  });
  return (await Promise.all(described)).flat();
}

/** Those of all routes, or those of each by its name. */
type Words = WholeOrLike<Description> | Readonly<Record<string, WholeOrLike<Description>>>;

const isOfAll = (words: Words): words is WholeOrLike<Description> =>
  [words['tag' as never], words['like' as never]].some((name) => typeof name === 'string');

const whole = (words: WholeOrLike<Description>): Description =>
  'like' in words ? { ...writeWords[words.like], ...words } : words;

function wordsOf(words: Words, route = ''): Description {
  if (isOfAll(words) && route === '') return whole(words);
  const { examples, ...own } = whole(isOfAll(words) ? words : (words[route] as Description));
  // Several kinds share their words, and each has its own examples.
  const shown = examples?.filter(({ path }) => [undefined, route].includes(path?.['kind']));
  const kind = managedKindAt(route);
  const query = { ...own.query, ...(kind && textsOf(kindOf(kind))) };
  return { ...own, ...own.onlyFor?.[route], query, examples: shown };
}

function byHeading(routes: readonly DescribedRoute[]): DescribedRoute[] {
  const rank = (tag: string) => tags.findIndex(({ name }) => name === tag);
  return routes.toSorted((a, b) => rank(a.description.tag) - rank(b.description.tag));
}

/** The events of an AI reply (lib/spec/interface.md section 6); the compiler compares them with their type. */
const replyEvent = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('delta'), delta: z.string(), text: z.string() })
    .check(z.describe('A part of the reply: `delta` is the new text, `text` the whole reply so far.')),
  z
    .strictObject({ type: z.literal('done'), messageId: z.string(), text: z.string() })
    .check(z.describe('The reply is complete and stored as the message `messageId`. `text` is the whole reply.')),
  z
    .strictObject({ type: z.literal('error'), error: z.string() })
    .check(z.describe('The reply failed, and `error` is a sentence with the reason. No event follows.')),
]);

type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const isComplete: Equal<z.infer<typeof replyEvent>, ReplyEvent> = true;

function replyEventSchema(): Json {
  const { oneOf } = z.toJSONSchema(replyEvent, { io: 'output' });
  if (!isComplete || !oneOf) throw new Error('The events of a reply are a choice of three.');
  return {
    description: 'The JSON object after `data:`. The last event is always `done` or `error`.',
    oneOf,
  };
}

import type * as z from 'zod/mini';
import type { Endpoint, PathParameters, RouteParts, RoutesOf } from '#lib/http/declaration.ts';
import type { commonParameters } from './common-texts.ts';
import type { Json } from './json-schema.ts';
import type { RefusalCode } from './refusals.ts';
import type { writeWords } from './write-texts.ts';

type CommonParameter = keyof typeof commonParameters;

/** The heading of an endpoint. */
export type Tag = 'CMS' | 'Menu' | 'Forms' | 'Messaging' | 'Management' | 'Events' | 'Sign-in' | 'About this API';

export interface HeaderDescription {
  readonly description: string;
  /** @default text */
  readonly schema?: Json;
  /** Whether some responses lack it. */
  readonly isOptional?: boolean;
}

/** Describes a successful response, beyond the declaration's response schema. */
export interface SuccessDescription {
  readonly description: string;
  /** `common` stands for the words that all routes share (common-texts.ts). */
  readonly headers?: Readonly<Record<string, HeaderDescription | 'common'>>;
  /** Media types and schemas, unless the response is JSON of the declaration's schema. */
  readonly content?: Readonly<Record<string, Json>>;
}

export interface BodyDescription {
  readonly description: string;
  /** Descriptions of properties of the declaration's schema. */
  readonly properties?: Readonly<Record<string, Json>>;
  /** Media types and schemas, if the declaration's schema is absent or too general. */
  readonly content?: Readonly<Record<string, Json>>;
}

/** An example call. Tests make it on the demo workspace and record its response for the description. */
export interface ExampleCall {
  readonly name: string;
  readonly summary: string;
  /** The key of the demo workspace to send; `admin` may do everything. */
  readonly key?: 'site' | 'editor' | 'desk' | 'admin';
  /** The e-mail address of the demo's member for the session, if the route accepts no other credential. */
  readonly session?: string;
  /** @default the declaration's first method */
  readonly method?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * The description of an endpoint beyond its declaration. A declared parameter without a description does not compile.
 */
export interface Description<
  Path extends string = string,
  Parameter extends string = string,
  Header extends string = string,
> {
  readonly tag: Tag;
  /** Full sentences, in Markdown. */
  readonly text: string;
  readonly path?: Words<keyof PathParameters<Path> & string>;
  readonly query?: Words<Parameter>;
  /** Descriptions of the declared headers, except those of the key and the media type. */
  readonly headers?: Words<Header>;
  readonly body?: BodyDescription;
  readonly success: SuccessDescription;
  /** Other successful responses. */
  readonly more?: Readonly<Record<number, SuccessDescription>>;
  /** Words of one route among several that share the others, by its name. */
  readonly onlyFor?: Readonly<Record<string, Partial<Pick<Description, 'more' | 'success'>>>>;
  /** Error codes that do not follow from the declaration. */
  readonly refusals?: readonly RefusalCode[];
  readonly examples?: readonly ExampleCall[];
}

/** Those of common-texts.ts may be left out. */
type Words<Name extends string> = Readonly<Record<Exclude<Name, CommonParameter>, string>> & {
  readonly [Common in CommonParameter]?: string;
};

type Described = Pick<Endpoint, 'path' | 'query' | 'headers'>;

/** An endpoint without parameters has a query with any name and no value. */
type ParametersOf<E extends Described> = string extends keyof z.output<E['query']>
  ? never
  : keyof z.output<E['query']> & string;
type HeadersOf<E extends Described> = string extends keyof z.output<NonNullable<E['headers']>>
  ? never
  : keyof z.output<NonNullable<E['headers']>> & string;
type Needed<Part extends string, Names> = [Names] extends [never] ? unknown : Readonly<Record<Part, object>>;
/** The words of one declaration. `endpoint.ts` exports them as a function, which no bundle contains. */
export type DescriptionOf<E extends Described> = WholeOrLike<
  Description<E['path'], ParametersOf<E>, HeadersOf<E>> &
    Needed<'path', Exclude<keyof PathParameters<E['path']>, CommonParameter>> &
    Needed<'query', Exclude<ParametersOf<E>, CommonParameter>> &
    Needed<'headers', Exclude<HeadersOf<E>, CommonParameter>>
>;

/** `like` names words of write-texts.ts. The description has them where it has none of its own. */
export type WholeOrLike<Whole> = Whole | (Partial<Whole> & { readonly like: keyof typeof writeWords });

/** The words of each route of a declaration with several. */
export type DescriptionsOf<E extends Endpoint> = {
  readonly [Name in keyof RoutesOf<E>]: DescriptionOf<WholeRoute<E, RoutesOf<E>[Name]>>;
};

/** The same words for the routes of several kinds. */
export const wordsOfKinds = (
  routes: Readonly<Record<string, unknown>>,
  words: WholeOrLike<Description>,
): Record<string, WholeOrLike<Description>> => Object.fromEntries(Object.keys(routes).map((name) => [name, words]));

interface WholeRoute<E extends Endpoint, Parts extends RouteParts> extends Described {
  readonly path: Parts['path'];
  readonly query: Parts extends { readonly query: infer Query extends z.ZodMiniType } ? Query : E['query'];
  readonly headers: Parts extends { readonly headers: infer Own extends z.ZodMiniType }
    ? Own
    : NonNullable<E['headers']>;
}

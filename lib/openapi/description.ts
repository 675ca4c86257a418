import type * as z from 'zod/mini';
import type { Endpoint, PathParameters } from '#lib/http/endpoint.ts';
import type { Json } from './json-schema.ts';
import type { RefusalCode } from './refusals.ts';

/** Under which heading an endpoint stands. */
export type Tag = 'CMS' | 'Menu' | 'Forms' | 'Messaging' | 'About this API';

export interface HeaderDescription {
  readonly description: string;
  /** @default text */
  readonly schema?: Json;
}

/** What is answered when all goes well, beside what the declaration's response schema says. */
export interface SuccessDescription {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /** Media types and schemas, where the answer is not JSON of the declaration's schema. */
  readonly content?: Readonly<Record<string, Json>>;
}

export interface BodyDescription {
  readonly description: string;
  /** What is said of members of the declaration's schema beyond their types. */
  readonly members?: Readonly<Record<string, Json>>;
  /** Media types and schemas, where the declaration has no schema or one that says too little. */
  readonly content?: Readonly<Record<string, Json>>;
}

/** A call that the tests really make on the demo workspace; its answer stands in the description. */
export interface ExampleCall {
  readonly name: string;
  readonly summary: string;
  /** Whose key of the demo workspace is sent. */
  readonly key?: 'site' | 'editor' | 'desk';
  /** @default the first of the declaration */
  readonly method?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * What the API description says of an endpoint beyond its declaration. Every parameter of the declaration has to be
 * described: one that is added to it does not compile without its sentence.
 */
export interface Description<Path extends string = string, Parameter extends string = string> {
  readonly tag: Tag;
  /** Full sentences, in Markdown. */
  readonly text: string;
  readonly path: Readonly<Record<keyof PathParameters<Path> & string, string>>;
  readonly query: Readonly<Record<Parameter, string>>;
  /** Request headers besides those that carry the key or the media type. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  readonly body?: BodyDescription;
  readonly success: SuccessDescription;
  /** Other successful answers. */
  readonly more?: Readonly<Record<number, SuccessDescription>>;
  /** Refusals that do not follow from the declaration. */
  readonly refusals: readonly RefusalCode[];
  readonly examples: readonly ExampleCall[];
}

type ParametersOf<E extends Endpoint> = keyof z.output<E['query']> & string;

/** Describes an endpoint beside its declaration. */
export const describeEndpoint = <E extends Endpoint>(
  _: E,
  description: Description<E['path'], ParametersOf<E>>,
): Description<E['path'], ParametersOf<E>> => description;

import SwaggerParser from '@apidevtools/swagger-parser';
// biome-ignore lint/style/noRestrictedImports: only the full build reads JSON Schema, and no function bundles a test.
import * as z from 'zod';
import { type OpenApiDocument, openApiDocument } from '#lib/openapi/document.ts';
import type { Json } from '#lib/openapi/json-schema.ts';
import { eventsOf } from './presets/chat.ts';

type Examples = Readonly<Record<string, { readonly value: unknown }>>;

interface Content {
  readonly schema: Json;
  readonly examples?: Examples;
}

interface DescribedAnswer {
  readonly headers: Readonly<Record<string, Json & { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly schema: Json;
    readonly examples?: Examples;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Headers of HTTP itself, and those that the document's text describes for many calls. */
const general =
  /^(content-(type|length|encoding)|vary|cache-control|x-content-type-options|access-control-.*|ratelimit.*|x-ignored-parameters|date|connection|keep-alive|transfer-encoding)$/;

/** The API description, prepared for comparison with answers. */
export class ApiDocument {
  readonly operations: readonly Operation[];
  readonly #events: z.ZodType;
  readonly #schemas = new Map<Json, z.ZodType>();

  private constructor(document: OpenApiDocument) {
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }) as unknown as Operation,
      ),
    );
    this.#events = z.fromJSONSchema(
      document.components.schemas['ReplyEvent'] as Parameters<typeof z.fromJSONSchema>[0],
    );
  }

  static async read(): Promise<ApiDocument> {
    const document = JSON.parse(JSON.stringify(await openApiDocument()));
    return new ApiDocument((await SwaggerParser.dereference(document)) as unknown as OpenApiDocument);
  }

  /**
   * @param request the request line; an answer to HEAD is compared like one to GET, without its body
   * @returns the differences between an answer and the document, as sentences
   */
  problemsOf({ responses, operationId }: Operation, answer: ReceivedAnswer, request = ''): string[] {
    const described = responses[answer.status];
    if (!described)
      return [`${operationId} does not document the status ${answer.status}: ${answer.text.slice(0, 200)}`];
    const missing = Object.entries(described.headers).flatMap(([name, { required }]) =>
      required && answer.headers[name] === undefined ? [name] : [],
    );
    const surplus = Object.keys(answer.headers).filter((name) => !(name in described.headers) && !general.test(name));
    return [
      ...missing.map((name) => `${operationId} ${answer.status} has no header ${name}`),
      ...surplus.map((name) => `${operationId} ${answer.status} has a header that is not documented: ${name}`),
      ...(request.startsWith('HEAD ') ? [] : this.#bodyProblems(described, answer)).map(
        (problem) => `${operationId} ${answer.status}: ${problem}`,
      ),
    ];
  }

  #bodyProblems({ content }: DescribedAnswer, { text, headers }: ReceivedAnswer): string[] {
    if (!content) return text === '' ? [] : [`a body where none is documented: ${text.slice(0, 200)}`];
    const type = headers['content-type']?.split(';', 1)[0] ?? '';
    const described = content[type] ?? content[type.replace(/[^/]+$/, '*')] ?? content['*/*'];
    if (!described) return [`the media type ${type} is not documented`];
    if (type === 'text/event-stream') return eventsOf(text).flatMap((event) => mismatch(this.#events, event));
    return type === 'application/json' && content[type]
      ? mismatch(this.#schemaOf(described.schema), JSON.parse(text))
      : [];
  }

  #schemaOf(schema: Json): z.ZodType {
    const known = this.#schemas.get(schema) ?? z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    this.#schemas.set(schema, known);
    return known;
  }
}

function mismatch(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

import type { ExampleCall } from '#lib/openapi/description.ts';
import type { OpenApiDocument } from '#lib/openapi/document.ts';
import { describedRoutes } from '#lib/openapi/document.ts';
import type { Json } from '#lib/openapi/json-schema.ts';

/** A call of the generated client. */
export interface PlannedCall {
  readonly operation: string;
  readonly tag: string;
  /** Parameters by their names in the description. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** A file in Base64, for operations with files. */
  readonly file?: string;
  /** Whether the key must belong to a member. */
  readonly needsMember: boolean;
  /** The expected statuses. */
  readonly expected: readonly number[];
}

/** A stored record of each managed kind, for calls without an example. */
export type Records = Readonly<Record<string, { readonly id: string } | undefined>>;

interface Operation extends Json {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

/** For operations with neither an example nor a record. */
const bodies: Readonly<Record<string, unknown>> = {
  messageSend: { text: 'Hello', senderType: 'customer' },
  sessionSwitch: { workspaceId: 'ws_saffron' },
  webhookReplay: { since: '2026-01-01T00:00:00Z' },
};

/** For the operations whose names end so, on a record of any kind. */
const bodiesByEnd: readonly (readonly [end: string, body: unknown])[] = [['Restore', { version: 'evt_none' }]];

/** A PNG of one red pixel. */
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/**
 * A call of every operation, from its first example or else from a stored record. An example must succeed. Any other
 * call must get a documented status.
 */
export async function plannedCalls({ paths }: OpenApiDocument, records: Records): Promise<PlannedCall[]> {
  const examples = await examplesByPath();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const found = examples.find((example) => example.path === path && example.methods.includes(method));
      const [, kind = ''] = /^\/api\/v1\/manage\/([a-z-]+)/.exec(path) ?? [];
      return plannedCall(operation as unknown as Operation, found?.example, records[kind]);
    }),
  );
}

function plannedCall(operation: Operation, example: ExampleCall | undefined, record: Records[string]): PlannedCall {
  const { operationId, tags, parameters = [], requestBody, responses } = operation;
  const given: Readonly<Record<string, unknown>> = { ...example?.path, ...example?.query, ...example?.headers };
  const statuses = Object.keys(responses).map(Number);
  // The generated clients use a key, so an example of a session gets the answer of an anonymous caller.
  const isExample = example !== undefined && example.session === undefined;
  const takesFiles = requestBody !== undefined && 'multipart/form-data' in requestBody.content;
  return {
    operation: operationId,
    tag: tags[0],
    parameters: Object.fromEntries(
      parameters.flatMap(({ name, required }) => {
        const value = given[name] ?? (required ? (record?.[name as 'id'] ?? 'none') : undefined);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    ...(example?.body !== undefined && { body: example.body }),
    ...(example === undefined && requestBody && !takesFiles && { body: bodyOf(operationId, record) }),
    ...(takesFiles && { file: image }),
    needsMember: tags[0] === 'Messaging',
    expected: statuses.filter((status) => status < (isExample || takesFiles ? 300 : 500)),
  };
}

const bodyOf = (operation: string, record: Records[string]): unknown =>
  bodiesByEnd.find(([end]) => operation.endsWith(end))?.[1] ?? record ?? bodies[operation] ?? {};

/** The first example of each path and method. */
async function examplesByPath() {
  return (await describedRoutes()).flatMap(({ endpoint, description }) =>
    (description.examples ?? []).map((example) => ({
      path: endpoint.path.replace('+}', '}'),
      methods: (example.method ? [example.method] : endpoint.methods).map((method) => method.toLowerCase()),
      example,
    })),
  );
}

import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { parameterNames } from '#lib/http/query.ts';
import { describedRoutes, openApiDocument } from '#lib/openapi/document.ts';
import { securityOf } from '#lib/openapi/operation.ts';
import { call } from '#test/support/call.ts';

const document = JSON.parse(JSON.stringify(await openApiDocument()));
const endpoints = await describedRoutes();
// biome-ignore lint/suspicious/noExplicitAny: the tests read members of a JSON document.
type Found = any;
const operations: [string, Found][] = Object.entries<Found>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Found>(methods).map(([method, operation]): [string, Found] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);
const schemas: [string, Found][] = Object.entries(document.components.schemas);

const equals = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The end of a sentence. */
const sentence = /[.!?:]$/;

describe('the API description', () => {
  it('is valid OpenAPI 3.1 to two validators', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    await SwaggerParser.validate(structuredClone(document));
  });

  it('is the answer of the service', async () => {
    expect((await call('GET /openapi.json')).json).toEqual(document);
  });

  it('states the type of every choice, because generated clients cannot read one without', () => {
    const untyped: Found[] = [];
    JSON.stringify(document, (name, value) => {
      const isExample = name === 'value' || name === 'example';
      if ((Array.isArray(value?.enum) || value?.const !== undefined) && value.type === undefined) untyped.push(value);
      return isExample ? undefined : value;
    });
    expect(untyped).toEqual([]);
  });

  it('has every method of every endpoint and nothing else', () => {
    const declared = endpoints.flatMap(({ endpoint: { methods, path } }) =>
      methods.map((method) => `${method} ${path.replace('+}', '}')}`),
    );
    expect(operations.map(([name]) => name).sort()).toEqual(declared.sort());
  });

  it('offers the reference page an API key first, and no condition where a call is tried', () => {
    expect(Object.keys(document.components.securitySchemes)[0]).toBe('bearer');
    const objects = operations.flatMap(([, { parameters }]) =>
      parameters.filter(({ schema }: Found) => schema.type === 'object'),
    );
    expect(objects.map(({ name, example }: Found) => ({ name, example }))).toEqual(
      objects.map(() => ({ name: 'filter', example: {} })),
    );
    expect(objects).not.toEqual([]);
  });

  it.each(endpoints.map(({ name, endpoint }) => [name, endpoint] as const))(
    'says where %s reads its key, and all of its parameters',
    (_, { methods, path, keyIn, callers, query }) => {
      for (const method of methods) {
        const operation = document.paths[path.replace('+}', '}')][method.toLowerCase()];
        expect(operation.security.flatMap(Object.keys)).toEqual(securityOf({ keyIn, callers }));
        const named = (place: string) =>
          operation.parameters.flatMap((parameter: Found) => (parameter.in === place ? [parameter.name] : []));
        // Where the key is only in the address, clients without security schemes send it as a parameter.
        const key = keyIn.join() === 'query' ? ['apiKey'] : [];
        expect(named('query')).toEqual([...parameterNames(query), ...key]);
        expect(named('path')).toEqual([...path.matchAll(/\{([^}+]+)/g)].map(([, name]) => name));
      }
    },
  );

  it.each(operations)('describes %s in full sentences', (_, operation) => {
    expect(operation.summary).toMatch(sentence);
    expect(operation.description).toMatch(sentence);
    const described = [
      ...operation.parameters,
      ...Object.values<Found>(operation.responses),
      ...Object.values<Found>(operation.responses)
        .flatMap(({ headers }) => Object.values<Found>(headers))
        .map(({ $ref, ...header }) => ($ref ? document.components.headers[$ref.split('/').at(-1)] : header)),
      ...(operation.requestBody ? [operation.requestBody] : []),
    ];
    for (const { description } of described) expect(description).toMatch(sentence);
  });

  it.each(operations)('names %s once, under a heading that there is', (_, { operationId, tags }) => {
    expect(operations.filter(([, other]) => other.operationId === operationId)).toHaveLength(1);
    expect(document.tags.map(({ name }: Found) => name)).toContain(tags[0]);
  });

  it.each(operations)(
    'documents that a successful answer of %s to a key names the ignored parameters',
    (_, operation) => {
      const good = Object.entries<Found>(operation.responses).filter(([status]) => Number(status) < 300);
      expect([...good, ...Object.keys(operation.responses).filter((status) => status === '302')]).not.toEqual([]);
      for (const [status, { headers }] of good)
        expect([status, 'x-ignored-parameters' in headers]).toEqual([status, operation.security.length > 0]);
    },
  );

  it.each(['/api/public/cms/{modelId}/list', '/api/v1/manage/cms-entries'])(
    'says that %s refuses fields that are not there',
    (path) => {
      const refused = document.paths[path].get.responses[400].content['application/json'].schema;
      expect(refused.properties.code.enum).toEqual(expect.arrayContaining(['invalid_query', 'unknown_field']));
    },
  );

  it('shows an error of every operation that needs a caller, with the code and the text of the service', async () => {
    for (const [name, { security, responses }] of operations) {
      if (security.length === 0) continue;
      const { schema, example } = responses[401].content['application/json'];
      expect([name, schema.properties.code.enum.includes(example?.code)]).toEqual([name, true]);
    }
    const shown = (name: string) => Object.fromEntries(operations)[name].responses[401].content['application/json'];
    const refused = await call('GET /api/v1/manage/forms', { key: 'unknown' });
    expect(shown('GET /api/v1/manage/forms').example).toEqual(refused.json);
    expect(shown('GET /api/v1/profile').example).toEqual((await call('GET /api/v1/profile')).json);
  });

  it('documents which conflicts a retry resolves', () => {
    const headers = (name: string) => Object.fromEntries(operations)[name].responses[409].headers;
    const repeated = headers('POST /api/public/forms/{slug}');
    expect(repeated['retry-after'].required).toBe(true);
    const repeatedOrTaken = headers('POST /api/v1/manage/members');
    expect(repeatedOrTaken['retry-after']).toEqual(expect.not.objectContaining({ required: true }));
    expect(headers('DELETE /api/v1/manage/media/{id}')).not.toHaveProperty('retry-after');
    const { description } = document.paths['/api/v1/manage/media/{id}'].post.responses[409];
    expect(description).toBe('`conflict`: the bytes have not arrived yet.');
  });

  it('says of every content what it is: its schema has a type, names another, or takes anything', () => {
    const kinds = new Set(['type', '$ref', 'anyOf', 'oneOf', 'allOf']);
    const contents = operations.flatMap(([operation, { requestBody, responses }]) =>
      [requestBody, ...Object.values<Found>(responses)].flatMap((part) =>
        Object.entries<Found>(part?.content ?? {}).map(([type, { schema }]) => ({ operation, type, schema })),
      ),
    );
    const isKnown = (schema: object) =>
      Object.keys(schema).length === 0 || Object.keys(schema).some((key) => kinds.has(key));
    expect(contents.filter(({ schema }) => schema && !isKnown(schema))).toEqual([]);
  });

  it('has no empty schema, and uses all its schemas', () => {
    const text = JSON.stringify(document);
    for (const [name, schema] of schemas) {
      expect({ name, keys: Object.keys(schema) }).not.toEqual({ name, keys: [] });
      expect(text).toContain(`"#/components/schemas/${name}"`);
    }
  });

  it('requires what the service requires, and has no choice of types that generators of clients refuse', () => {
    const found = Object.fromEntries(operations)['GET /api/v1/manage/cms-entries'].parameters;
    const required = found.flatMap(({ name, required }: Found) => (required ? [name] : []));
    expect(required).toEqual(['modelId']);
    const choices = new Set<string>();
    JSON.stringify(document, (name, value) => {
      if (name === 'type' && Array.isArray(value)) choices.add(String(value));
      return value;
    });
    // Any other choice is written with anyOf.
    expect([...choices].filter((types) => !/^\w+,null$/.test(types))).toEqual([]);
  });

  it('describes the items of every list, and every member of a body', () => {
    for (const [name, schema] of schemas) {
      const empty = Object.entries<Found>(schema.properties ?? {}).filter(([, { items }]) => equals(items, {}));
      expect({ name, empty }).toEqual({ name, empty: [] });
      if (!name.endsWith('Body')) continue;
      for (const member of Object.values<Found>(schema.properties)) expect(member.description).toMatch(sentence);
    }
    const { products } = document.components.schemas.Category.properties;
    expect(products.items.properties.priceOptions.items).toEqual({ $ref: '#/components/schemas/PriceOption' });
  });

  it.each([
    ['PATCH /api/public/cms/{modelId}/{id}', '1 MB'],
    ['POST /api/public/forms/{slug}', '1 MB'],
    ['POST /api/v1/connect/ai-stream', '64 KB'],
    ['POST /api/v1/connect/attachments', '130 MB'],
  ])('says how large the body of %s may be', (name, size) => {
    expect(Object.fromEntries(operations)[name].responses[413].description).toContain(size);
  });

  it('names the permissions of an endpoint in a sentence, and a missing file of the page without a key', () => {
    const { description } = document.paths['/api/public/cms/{modelId}/{id}'].patch;
    expect(description).toContain('Needs the permissions `cms:entry:read` and `cms:entry:update`.');
    expect(document.paths['/docs'].get.description).not.toContain('Needs');
    const { description: missing } = document.paths['/docs/{file}'].get.responses[404];
    expect(missing).toBe('`not_found`: there is nothing at this URL.');
  });

  it.each<[string, string, number | string | boolean, object]>([
    ['GET /api/public/cms/{modelId}/list', 'limit', 20, { minimum: 1, maximum: 100 }],
    ['GET /api/public/cms/{modelId}/list', 'offset', 0, { minimum: 0 }],
    ['GET /api/public/cms/{modelId}/list', 'includeHidden', false, { type: 'boolean' }],
    ['GET /api/public/menu/products', 'limit', 20, { minimum: 1, maximum: 100 }],
    ['GET /api/public/menu/products', 'page', 1, { minimum: 1 }],
    ['GET /api/public/menu/products', 'published', true, { type: 'boolean' }],
    [
      'GET /api/public/menu/products',
      'sortBy',
      'createdAt',
      { enum: ['name', 'createdAt', 'updatedAt', 'slug', 'position'] },
    ],
    ['GET /api/public/menu/products', 'includeCmsData', true, { type: 'boolean' }],
    ['GET /api/public/menu/categories', 'includeProducts', false, { type: 'boolean' }],
  ])('says of %s that %s is %p by default', (name, parameter, value, rule) => {
    const operation = Object.fromEntries(operations)[name];
    const found = operation.parameters.find((candidate: Found) => candidate.name === parameter);
    expect(found.schema).toMatchObject({ default: value, ...rule });
  });

  it('states the default direction of a menu list in words, because it depends on the sort order', () => {
    const { parameters } = document.paths['/api/public/menu/products'].get;
    const { schema, description } = parameters.find(({ name }: Found) => name === 'sortOrder');
    expect(schema).toEqual({ type: 'string', enum: ['asc', 'desc'] });
    expect(description).toContain('By default, `asc` by `position`, else `desc`.');
  });
});

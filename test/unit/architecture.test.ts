import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

/** The allowed imports of each part, beside itself. A part is a folder. The most specific part of a file counts. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'bin/cdk.ts': ['lib/infra', 'lib/endpoints.ts', 'lib/bundle'],
  'bin/deploy.ts': ['lib/infra/deploy.ts'],
  'bin/local.ts': ['lib/local', 'lib/domain/failure.ts'],
  'bin/pack-client.ts': ['lib/client-package'],
  'bin/smoke.ts': ['lib/infra/smoke.ts'],
  'bin/workspace.ts': ['lib/workspace', 'lib/local'],
  'lib/bundle': [
    'lib/console/build-console.ts',
    'lib/endpoints.ts',
    'lib/openapi/document.ts',
    'lib/reference/make-files.ts',
    'lib/widget/build-widget.ts',
  ],
  'lib/endpoints.ts': ['lib/http/declaration.ts', 'lib/http/endpoint.ts', 'lib/http/router.ts', 'lib/trigger.ts'],
  'lib/trigger.ts': ['lib/http/declaration.ts'],
  'lib/infra': [
    'lib/ai/model-choice.ts',
    'lib/attachments/refusals.ts',
    'lib/domain/files',
    'lib/endpoints.ts',
    'lib/bundle',
    'lib/trigger.ts',
    'lib/http/declaration.ts',
    'lib/http/endpoint.ts',
    'lib/http/origin-header.ts',
    'lib/http/router.ts',
    'lib/session/paths.ts',
    'lib/table/schema.ts',
    'lib/webhooks/addresses.ts',
  ],
  'lib/local': [
    'lib/endpoints.ts',
    'lib/bundle',
    'lib/trigger.ts',
    'lib/http',
    'lib/secrets/signed-headers.ts',
    'lib/session/paths.ts',
    'lib/table',
    'lib/workspace',
    'lib/domain',
  ],
  'lib/workspace': [
    'lib/client',
    'lib/forms/answered-files.ts',
    'lib/invitations',
    'lib/kinds',
    'lib/local',
    'lib/records',
    'lib/secrets/signed-headers.ts',
    'lib/table',
    'lib/webhooks',
    'lib/domain',
  ],
  'lib/session': ['lib/http', 'lib/secrets', 'lib/table', 'lib/domain'],
  'lib/access': ['lib/http', 'lib/invitations', 'lib/kinds', 'lib/manage', 'lib/table', 'lib/domain'],
  'lib/manage': [
    'lib/access',
    'lib/attachments/settings.ts',
    'lib/cms',
    'lib/forms/answered-files.ts',
    'lib/http',
    'lib/idempotency',
    'lib/kinds',
    'lib/menu',
    'lib/records',
    'lib/table',
    'lib/webhooks',
    'lib/domain',
  ],
  'lib/webhooks': [
    'lib/access',
    'lib/conversations/message-answer.ts',
    'lib/due',
    'lib/http',
    'lib/kinds',
    'lib/manage',
    'lib/menu/menu-lookups.ts',
    'lib/secrets',
    'lib/table',
    'lib/domain',
  ],
  'lib/records': ['lib/ai/model-choice.ts', 'lib/kinds', 'lib/patterns', 'lib/domain'],
  'lib/kinds': [
    'lib/cms/list-parameters.ts',
    'lib/http/declaration.ts',
    'lib/http/endpoint.ts',
    'lib/http/query-parameters.ts',
    'lib/http/query.ts',
    'lib/domain',
  ],
  'lib/openapi': [
    'lib/endpoints.ts',
    'lib/http/declaration.ts',
    'lib/http/endpoint.ts',
    'lib/http/query-parameters.ts',
    'lib/http/query.ts',
    'lib/cms',
    'lib/kinds',
    'lib/manage/bodies.ts',
    'lib/menu',
    'lib/conversations/schemas.ts',
    'lib/messaging/reply-event.ts',
    'lib/session/profile-view.ts',
    'lib/domain',
  ],
  'lib/client': [
    'functions',
    'lib/http/declaration.ts',
    'lib/http/endpoint.ts',
    'lib/http/query-parameters.ts',
    'lib/http/query.ts',
    'lib/kinds',
    'lib/messaging/reply-event.ts',
    'lib/domain',
  ],
  'lib/client-package': ['lib/openapi'],
  'lib/reference': ['lib/bundle/built-files.ts', 'lib/http/public-api.ts'],
  'lib/widget': ['lib/bundle/notices.ts', 'lib/client/event-data.ts', 'lib/domain/files/picture.ts'],
  'lib/console': [
    'lib/bundle/built-files.ts',
    'lib/bundle/notices.ts',
    'lib/http/public-api.ts',
    'lib/kinds/kind-labels.ts',
  ],
  'lib/console/app': ['lib/client', 'lib/kinds/kind-labels.ts', 'lib/domain', 'lib/widget/page/input-method.ts'],
  'lib/http': ['lib/secrets', 'lib/table', 'lib/domain'],
  'lib/idempotency': ['lib/http/errors.ts', 'lib/table', 'lib/domain'],
  'lib/secrets': ['lib/table/errors.ts'],
  'lib/cms': ['lib/http', 'lib/table', 'lib/domain'],
  'lib/due': ['lib/table', 'lib/http/work-log.ts'],
  'lib/forms': ['lib/http', 'lib/table', 'lib/domain'],
  'lib/mail': ['lib/aws', 'lib/domain'],
  'lib/invitations': ['lib/aws', 'lib/mail', 'lib/table/errors.ts'],
  'lib/files': ['lib/aws', 'lib/http/work-log.ts', 'lib/table/dynamodb/clock.ts', 'lib/table/errors.ts', 'lib/domain'],
  'lib/attachments': ['lib/files', 'lib/http', 'lib/idempotency', 'lib/table', 'lib/domain'],
  'lib/media': [
    'lib/attachments',
    'lib/files',
    'lib/http',
    'lib/idempotency',
    'lib/manage/in-use.ts',
    'lib/table',
    'lib/domain',
  ],
  'lib/ai': ['lib/domain', 'lib/secrets/secret.ts'],
  'lib/conversations': [
    'lib/attachments/settings.ts',
    'lib/files',
    'lib/http',
    'lib/idempotency',
    'lib/messaging/reply-request.ts',
    'lib/messaging/website-channel.ts',
    'lib/table',
    'lib/domain',
  ],
  'lib/messaging': ['lib/ai', 'lib/cms', 'lib/menu', 'lib/forms', 'lib/http', 'lib/table', 'lib/domain'],
  'lib/menu': ['lib/cms', 'lib/http', 'lib/table', 'lib/domain'],
  // Of the kinds it has only the type of their names.
  'lib/table': ['lib/files/history-files.ts', 'lib/kinds/kinds.ts', 'lib/secrets/signed-headers.ts', 'lib/domain'],
  'lib/patterns': ['lib/domain'],
  'lib/aws': [],
  'lib/domain': [],
};

/** Packages that only one part of the code may import. */
const packages: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-dynamodb': ['lib/table', 'lib/infra/smoke.ts', 'lib/workspace/command/restored-table.ts'],
  '@aws-sdk/lib-dynamodb': ['lib/table'],
  '@smithy/core': ['lib/table', 'lib/ai'],
  '@aws-sdk/client-s3': ['lib/files'],
  '@aws-sdk/s3-request-presigner': ['lib/files'],
  busboy: ['lib/attachments'],
  '@aws-sdk/client-sesv2': ['lib/mail'],
  '@aws-sdk/client-cognito-identity-provider': ['lib/invitations'],
  '@aws-sdk/client-bedrock-runtime': ['lib/ai'],
  '@smithy/node-http-handler': ['lib/ai'],
  'eventsource-parser': ['lib/ai'],
  '@aws-sdk/client-cloudformation': ['lib/workspace/command', 'lib/infra/deploy.ts'],
  '@aws-sdk/client-lambda': ['lib/infra/deploy.ts', 'lib/workspace/command/deployed-stack.ts'],
  '@middy/core': ['lib/http', 'functions/route-unknown'],
  'aws-cdk-lib': ['lib/infra', 'bin/cdk.ts'],
  'cdk-nag': ['lib/infra'],
  'cdk-preflight': ['lib/infra'],
  constructs: ['lib/infra'],
  esbuild: ['lib/bundle', 'lib/client-package', 'lib/console/build-console.ts', 'lib/widget/build-widget.ts'],
  oauth4webapi: ['lib/session/exchange-code.ts'],
  'oidc-provider': ['lib/local/issuer'],
  re2js: ['lib/patterns'],
  'swagger-ui-dist': ['lib/reference'],
};

const sources = ['bin', 'lib', 'functions'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);

describe.each(sources)('%s', (file) => {
  const imports = importsOf(file);

  it('imports only the allowed parts', () => {
    expect(imports.filter((target) => isOurs(target) && !allowedFor(file, target))).toEqual([]);
  });

  it('leaves packages to the part they belong to', () => {
    const strange = imports.filter((name) => {
      const owner = Object.keys(packages).find((candidate) => name === candidate || name.startsWith(`${candidate}/`));
      return owner !== undefined && !packages[owner]?.some((part) => isWithin(file, part));
    });
    expect(strange).toEqual([]);
  });

  it('is at most 250 lines', () => {
    expect(readFileSync(join(root, file), 'utf8').split('\n').length).toBeLessThanOrEqual(251);
  });
});

it('files do not import each other in circles', () => {
  const left = new Map(sources.map((file) => [file, importsOf(file).filter((target) => sources.includes(target))]));
  for (let before = 0; before !== left.size; ) {
    before = left.size;
    for (const [file, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(file);
  }
  expect([...left.keys()]).toEqual([]);
});

/**
 * Loops that continue after a failed call of the table, and the reason of each. A change of data has one of them around
 * its transaction: `repeatWrite`.
 */
const retryLoops: Readonly<Record<string, string>> = {
  'lib/client/transport.ts': 'the retries of the client of the API',
  'lib/local/supervised-engine.ts': 'waits for the engine to start',
  'lib/messaging/run-lease.ts': 'waits for a reply that another request makes',
  'lib/secrets/read-secret.ts': 'reads a secret, not the table',
  'lib/table/access/rate-limiter.ts': 'takes tokens, or reports the bucket as empty',
  'lib/table/dynamodb/batched-reads.ts': 'reads the rest of a batch',
  'lib/table/dynamodb/client.ts': 'the retries of the client',
  'lib/table/collection/head.ts': 'reads an index that an import replaces',
  'lib/table/dynamodb/write-all.ts': 'writes the rest of a batch',
  'lib/table/import/import-lease.ts': 'waits for another import',
  'lib/table/writer/repeat-write.ts': 'the loop around transactions',
  'lib/workspace/command/run-listen.ts': 'follows the feed of a service',
  'lib/workspace/command/restored-table.ts': 'waits until an earlier change of a restored table is complete',
};

it('only the listed files retry calls of the table in a loop', () => {
  const others = sources.filter((file) => !isWithin(file, 'lib/console') && !isWithin(file, 'lib/widget'));
  expect(others.filter(hasRetryLoop).sort()).toEqual(Object.keys(retryLoops).sort());
});

it('only the table tries transactions without the loop around them', () => {
  const direct = sources.filter((file) => /\btransact\(/.test(readFileSync(join(root, file), 'utf8')));
  expect(direct.filter((file) => !isWithin(file, 'lib/table'))).toEqual([]);
});

describe('functions', () => {
  const folders = readdirSync(join(root, 'functions'), { withFileTypes: true })
    .filter((file) => file.isDirectory())
    .map(({ name }) => name);

  it.each(folders)('%s has a handler and, as an endpoint, its declaration', (name) => {
    const files = readdirSync(join(root, 'functions', name)).sort();
    const endpoint = ['endpoint.ts', 'handler.ts'];
    expect([endpoint, ['handler.ts'], ['handler.ts', 'trigger.ts']]).toContainEqual(files);
  });

  it.each(folders)('%s has a contract test of its name', (name) => {
    expect(readdirSync(join(root, 'test/contract'))).toContain(`${name}.test.ts`);
  });
});

describe('the environment', () => {
  const mayRead = [
    'bin',
    'lib/local',
    'lib/bundle/shims/credentials.ts',
    'lib/secrets',
    'lib/attachments/settings.ts',
    'lib/console/build-console.ts',
    'lib/console/files.ts',
    'lib/files/client.ts',
    'lib/http/cors.ts',
    'lib/http/open-table.ts',
    'lib/http/authenticate.ts',
    'lib/http/route.ts',
    'lib/http/log.ts',
    'lib/http/log-line.ts',
    'lib/http/origin.ts',
    'lib/http/public-url.ts',
    'lib/session/issuer-settings.ts',
    'lib/ai/engine.ts',
    'lib/ai/model-choice.ts',
    'lib/due/due-worker.ts',
    'lib/table/history/kept-states.ts',
    'lib/table/retention.ts',
    'lib/webhooks/addresses.ts',
    'lib/mail/mailer.ts',
    'lib/workspace/command/deployed-stack.ts',
    'lib/invitations/invite.ts',
  ];

  it.each(sources.filter((file) => !mayRead.some((part) => isWithin(file, part))))('is not read in %s', (file) => {
    expect(readFileSync(join(root, file), 'utf8')).not.toContain('process.env');
  });
});

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier);
  return specifiers.map((specifier) => {
    if (specifier.startsWith('#')) return specifier.slice(1);
    return specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : specifier;
  });
}

/** Whether a loop, other than one over a list, handles failures or tries transactions. */
function hasRetryLoop(file: string): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const loops = text.matchAll(/^( *)(?:for \((?!.* of )|while \(|do \{).*\{\n[\s\S]*?\n\1\}/gm);
  return [...loops].some(([loop]) =>
    /\bcatch\b|Contended|[tT]ransact(?:ion)?\(|tryChange\(|isMade\(|repeatWork\(|repeatWrite/.test(loop),
  );
}

function isOurs(target: string): boolean {
  return /^(?:bin|lib|functions|test)\//.test(target);
}

function allowedFor(file: string, target: string): boolean {
  if (file.startsWith('functions/')) return allowedForFunction(file, target);
  const part = Object.keys(mayImport)
    .filter((candidate) => isWithin(file, candidate))
    .sort((a, b) => b.length - a.length)[0];
  if (part === undefined) return false;
  return isWithin(target, part) || (mayImport[part] ?? []).some((allowed) => isWithin(target, allowed));
}

/** CDK and the local run load a declaration, so it must not import the table or the SDK. */
function allowedForFunction(file: string, target: string): boolean {
  if (dirname(target) === dirname(file)) return target.endsWith('endpoint.ts');
  if (file.endsWith('trigger.ts')) return target === 'lib/trigger.ts' || /^lib\/table\/(\w+\/)?keys\.ts$/.test(target);
  const parts = file.endsWith('endpoint.ts')
    ? [
        // Words of the description, which no bundle contains.
        'lib/openapi',
        'lib/http/declaration.ts',
        'lib/http/endpoint.ts',
        'lib/http/query-parameters.ts',
        'lib/http/query.ts',
        'lib/http/headers.ts',
        'lib/http/presets.ts',
        'lib/http/headers.ts',
        'lib/domain',
        'lib/kinds',
        'lib/manage/bodies.ts',
        'lib/manage/change-list.ts',
        'lib/cms/list-parameters.ts',
        'lib/cms/parameters.ts',
        'lib/menu/parameters.ts',
        'lib/menu/menu-views.ts',
        'lib/conversations/schemas.ts',
        'lib/messaging/reply-request.ts',
        'lib/session/profile-view.ts',
      ]
    : [
        'lib/http',
        'lib/kinds/visible-events.ts',
        'lib/idempotency',
        'lib/cms',
        'lib/menu',
        'lib/forms',
        'lib/patterns',
        'lib/due',
        'lib/mail',
        'lib/files',
        'lib/attachments',
        'lib/conversations',
        'lib/media',
        'lib/ai',
        'lib/messaging',
        'lib/access',
        'lib/session',
        'lib/manage',
        'lib/webhooks',
        'lib/bundle/built-files.ts',
        'lib/reference',
        'lib/console',
        'lib/table',
        'lib/domain',
      ];
  return parts.some((part) => isWithin(target, part));
}

function isWithin(file: string, part: string): boolean {
  return file === part || file.startsWith(`${part}/`);
}

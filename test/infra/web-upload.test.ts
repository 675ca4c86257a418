import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { routeTable } from '#lib/endpoints.ts';
import { encodeRoutes } from '#lib/http/router.ts';
import { findFreePort } from '#lib/local/free-port.ts';
import { sharedBundles } from '#test/support/shared-bundles.ts';
import { sampleChoices } from './choices.ts';
import { sampleDeclarations } from './sample-declarations.ts';
import { textOf } from './statements.ts';
import { declared, functionsByName, type Resource, resourcesOf, type Synthesis, synthesize } from './synthesize.ts';

describe('with uploads=web', () => {
  let web: Synthesis;
  const only = (type: string): Resource['Properties'] => {
    const [[, resource], ...others] = resourcesOf(web, type) as [[string, Resource]];
    expect(others).toEqual([]);
    return resource.Properties;
  };

  beforeAll(async () => {
    web = await synthesize(sampleDeclarations, sampleChoices.web);
  });

  it('with uploads=web, a web function takes uploads at their address, instead of one behind the gateway', () => {
    const { CacheBehaviors, Origins } = only('AWS::CloudFront::Distribution')['DistributionConfig'] as {
      CacheBehaviors: { PathPattern: string; TargetOriginId: string }[];
      Origins: { Id: string; DomainName: unknown }[];
    };
    const behaviour = CacheBehaviors.find(({ PathPattern }) => PathPattern === '/things');
    const origin = Origins.find(({ Id }) => Id === behaviour?.TargetOriginId);
    expect(textOf(origin?.DomainName)).toMatch(/^ThingUploadWebEndpoint\w+\.DomainName$/);
    // Another region of the account may have a stack of the same name.
    const { FunctionName } = only('AWS::Lambda::WebFunction');
    expect(textOf(FunctionName)).toMatch(/^\w{1,40}-AWS::Region$/);
    expect(behaviour).not.toHaveProperty('FunctionAssociations');
    web.template.resourceCountIs('AWS::CloudFront::Function', 0);
    expect(functionsByName(web).has('thing-upload')).toBe(false);
  });

  it('the web function has the environment and the role of the function, and takes every request itself', () => {
    expect(only('AWS::Lambda::WebFunctionEndpoint')).toMatchObject({ AuthType: 'ApplicationManaged' });
    const { ServiceConfig, BuildConfig } = only('AWS::Lambda::WebFunctionRevision');
    expect(BuildConfig).toMatchObject({ RuntimeConfig: { Runtime: 'nodejs24.x' } });
    expect(ServiceConfig).toMatchObject({
      TimeoutSeconds: 900,
      MaxConcurrencyPerEnvironment: 16,
      EnvironmentVariables: {
        ASSET_BASE_URL: 'https://api.example.com',
        TABLE_NAME: { Ref: 'WorkspaceTable' },
        FILES_BUCKET: { Ref: 'WorkspaceBucket' },
        AWS_LAMBDA_NODEJS_ENTRYPOINT: 'web-server.cjs',
      },
    });
  });
});

async function answerOf(url: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, { method: 'POST' }).catch(() => undefined);
    if (answer) return answer;
    await delay(50);
  }
}

describe('the server of the web function', () => {
  const [upload] = declared.endpoints.filter(({ endpoint }) => endpoint.requestBodyMode === 'streamed');

  it('listens on the port that Lambda sets, and answers as the function does', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'web-upload-'));
    const bundle = (await sharedBundles()).find(({ name }) => name === upload?.name);
    await cp(bundle?.folder ?? '', folder, { recursive: true });
    await cp('lib/infra/web-server.cjs', join(folder, 'web-server.cjs'));
    const endpoint = `127.0.0.1:${await findFreePort()}`;
    const server = spawn(process.execPath, ['web-server.cjs'], {
      cwd: folder,
      env: {
        ...process.env,
        AWS_LAMBDA_HTTP_ENDPOINT: endpoint,
        ROUTES: encodeRoutes(routeTable(declared.endpoints)),
      },
      stdio: 'ignore',
    });
    const ended = once(server, 'close');
    try {
      const answer = await answerOf(`http://${endpoint}${upload?.endpoint.path}`);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: 'missing_api_key' });
    } finally {
      server.kill();
      await ended;
      await rm(folder, { recursive: true });
    }
  });
});

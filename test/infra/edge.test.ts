import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { everySetting } from './every-setting.ts';
import { sampleDeclarations } from './sample-declarations.ts';
import { declared, type Resource, resourcesOf, type Synthesis, synthesize } from './synthesize.ts';

interface Behaviour {
  readonly PathPattern?: string;
  readonly TargetOriginId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the template has this shape.
const configOf = (synthesis: Synthesis): any => {
  const [[, distribution], ...others] = resourcesOf(synthesis, 'AWS::CloudFront::Distribution') as [[string, Resource]];
  expect(others).toEqual([]);
  return distribution.Properties['DistributionConfig'];
};

const behavioursOf = (synthesis: Synthesis): Behaviour[] => {
  const { DefaultCacheBehavior, CacheBehaviors = [] } = configOf(synthesis);
  return [DefaultCacheBehavior, ...CacheBehaviors];
};

/** The paths of the service whose answers never change. */
const keptPaths = ['/media/*', '/openapi.json', '/docs', '/docs/*', '/console/*', '/widget.js'];

let everything: Synthesis;

beforeAll(async () => {
  everything = await synthesize(sampleDeclarations);
});

describe('the distribution', () => {
  it('keeps nothing, passes everything but the host name, and takes every method, over TLS alone', async () => {
    const all = [...behavioursOf(everything), ...behavioursOf(await synthesize(declared))];
    for (const behaviour of all.filter(({ PathPattern = '' }) => !keptPaths.includes(PathPattern))) {
      expect(behaviour).toMatchObject({
        // CachingDisabled and AllViewerExceptHostHeader. The ids of managed policies are the same in all accounts.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE']),
        ViewerProtocolPolicy: 'https-only',
        Compress: false,
      });
    }
  });

  it('forwards preflights to functions, which know the origin of each token', async () => {
    const service = await synthesize(declared);
    const [[, api]] = resourcesOf(service, 'AWS::ApiGatewayV2::Api') as [[string, Resource]];
    expect(api.Properties).not.toHaveProperty('CorsConfiguration');
    const urls = resourcesOf(service, 'AWS::Lambda::Url');
    expect(urls.length).toBeGreaterThan(0);
    for (const [, { Properties }] of urls) expect(Properties).not.toHaveProperty('Cors');
    const routes = resourcesOf(service, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties['RouteKey']);
    // Requests without a route go to the fallback function, and OPTIONS requests, too.
    expect(routes).toContain('$default');
    expect(routes.filter((key) => String(key).startsWith('OPTIONS'))).toEqual([]);
    for (const [, { Properties }] of resourcesOf(service, 'AWS::CloudFront::ResponseHeadersPolicy')) {
      expect(Properties['ResponseHeadersPolicyConfig']).not.toHaveProperty('CorsConfig');
    }
  });

  it('caches public images, files of the console, the widget and the documentation by their path, for the time in the answer', async () => {
    const synthesis = await synthesize(declared);
    const [policy, ...others] = resourcesOf(synthesis, 'AWS::CloudFront::CachePolicy') as [string, Resource][];
    expect(others).toEqual([]);
    const nothing = { CookieBehavior: 'none' };
    expect(policy?.[1].Properties['CachePolicyConfig']).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 31_536_000,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: nothing,
        HeadersConfig: { HeaderBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
        // The functions compress, so a cache stores both forms.
        EnableAcceptEncodingGzip: true,
      },
    });
    const cached = behavioursOf(synthesis).filter((behaviour) =>
      JSON.stringify(behaviour).includes(String(policy?.[0])),
    );
    expect(cached.map(({ PathPattern }) => PathPattern)).toEqual(keptPaths);
    for (const behaviour of cached) {
      expect(behaviour).toMatchObject({ CachePolicyId: { Ref: policy?.[0] }, ViewerProtocolPolicy: 'https-only' });
      expect(behaviour).not.toHaveProperty('OriginRequestPolicyId');
    }
  });

  it('revalidates the page of the console each time, and sends its files through the gateway', async () => {
    const behaviours = behavioursOf(await synthesize(declared));
    const [fallback] = behaviours;
    const files = behaviours.find(({ PathPattern }) => PathPattern === '/console/*');
    expect(files?.TargetOriginId).toBe(fallback?.TargetOriginId);
    // CloudFront's star matches anything after the slash, so the page itself is not among the files.
    expect(behaviours.filter(({ PathPattern }) => /^\/console/.test(PathPattern ?? ''))).toEqual([files]);
  });

  it('does not cache refusals, so that no caller gets the answer to another key', () => {
    const { CustomErrorResponses } = configOf(everything);
    expect(CustomErrorResponses).toEqual(
      [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((ErrorCode) => ({
        ErrorCode,
        ErrorCachingMinTTL: 0,
      })),
    );
  });

  it('sends streamed paths to their functions and everything else to the gateway', () => {
    const { Origins } = configOf(everything);
    const sources = new Map(
      (Origins as { Id: string; DomainName: unknown }[]).map(({ Id, DomainName }) => [
        Id,
        /FunctionUrl|ApiEndpoint/.exec(JSON.stringify(DomainName))?.[0],
      ]),
    );
    expect(
      behavioursOf(everything).map(({ PathPattern, TargetOriginId }) => [PathPattern, sources.get(TargetOriginId)]),
    ).toEqual([
      [undefined, 'ApiEndpoint'],
      ['/files/*', 'FunctionUrl'],
      ['/talk', 'FunctionUrl'],
      ['/things', 'ApiEndpoint'],
    ]);
  });

  it('proves to every origin that a request came through it, with a secret that the template only names', () => {
    const [[secret, { Properties }]] = resourcesOf(everything, 'AWS::SecretsManager::Secret') as [[string, Resource]];
    expect(Properties['GenerateSecretString']).toEqual({ ExcludePunctuation: true, PasswordLength: 48 });
    const value = { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: secret }, ':SecretString:::}}']] };
    for (const origin of configOf(everything).Origins) {
      expect(origin).toMatchObject({
        OriginCustomHeaders: [{ HeaderName: 'x-origin-verify', HeaderValue: value }],
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      });
      // Signing by CloudFront would overwrite the caller's Authorization.
      expect(origin).not.toHaveProperty('OriginAccessControlId');
    }
    everything.template.resourceCountIs('AWS::CloudFront::OriginAccessControl', 0);
  });

  it('has no access log, because it would contain query strings', () => {
    expect(configOf(everything)).not.toHaveProperty('Logging');
  });

  it('answers at the configured host name, with TLS 1.2', async () => {
    const { name, certificateArn } = everySetting.domain;
    const named = await synthesize(declared, everySetting);
    expect(configOf(named)).toMatchObject({
      Aliases: [name],
      ViewerCertificate: { AcmCertificateArn: certificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    expect(named.template.toJSON()['Outputs'].ApiUrl.Value).toBe(`https://${name}`);
  });
});

describe('an upload through the gateway', () => {
  const answerTo = (headers: Record<string, { value: string }>) => {
    const [[, { Properties }]] = resourcesOf(everything, 'AWS::CloudFront::Function') as [[string, Resource]];
    expect(Properties).toMatchObject({ AutoPublish: true, FunctionConfig: { Runtime: 'cloudfront-js-2.0' } });
    const event = { request: { method: 'POST', uri: '/things', headers }, context: { requestId: 'req-1' } };
    const answer = runInContext(
      `${Properties['FunctionCode']}; JSON.stringify(handler(event))`,
      createContext({ event }),
    );
    return JSON.parse(answer);
  };

  it.each([['4613734'], ['0'], ['many']])('an upload of %s bytes through the gateway is forwarded', (value) => {
    const headers = { 'content-length': { value } };
    expect(answerTo(headers)).toEqual({ method: 'POST', uri: '/things', headers });
  });

  it('an upload of unknown length through the gateway is forwarded', () => {
    expect(answerTo({})).toEqual({ method: 'POST', uri: '/things', headers: {} });
  });

  it.each([['4613735'], ['131072000'], ['99999999999999999999']])(
    'an upload of %s bytes through the gateway is refused with the alternative',
    (value) => {
      const answer = answerTo({ 'content-length': { value } });
      expect(answer).toMatchObject({ statusCode: 413, headers: { 'x-request-id': { value: 'req-1' } } });
      expect(JSON.parse(answer.body.data)).toEqual({
        message: expect.stringContaining('as application/json'),
        code: 'body_too_large',
      });
    },
  );
});

import { Aws, Duration, Fn, SecretValue } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { Function as CloudFrontFunction, FunctionCode, FunctionRuntime } from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { bodyTooLarge } from '#lib/attachments/refusals.ts';
import { eventUploadBytesMax } from '#lib/domain/files/upload-limits.ts';
import { originHeader } from '#lib/http/origin-header.ts';
import { acknowledgeDistribution } from './acknowledgements.ts';
import type { Settings } from './settings.ts';

/** A path that is not just passed on to the HTTP API. */
export interface EdgeRoute {
  /** The declared path. */
  readonly path: string;
  /** The host name of the origin. @default that of the HTTP API */
  readonly host?: string;
  /** Whether answers are cached. */
  readonly isCached?: boolean | undefined;
  /** Whether uploads reach a function as events, which bounds their size. */
  readonly isUpload?: boolean;
}

export interface EdgeProps {
  /** The host name of the HTTP API. */
  readonly apiHost: string;
  readonly routes: readonly EdgeRoute[];
  readonly originSecret: ISecret;
  readonly settings: Pick<Settings, 'domain' | 'webAclArn' | 'originSecretVersion'>;
}

type Behaviour = Omit<cloudfront.BehaviorOptions, 'origin'>;

/** CloudFront would cache these for 10 seconds, so one key could get the error of another. */
const uncachedErrorStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * The public address of the service. It caches only public images and the files of the console, the chat and the
 * documentation. It proves to the functions that a request passed through it.
 */
export class Edge extends Construct {
  /** Address of the service. */
  readonly url: string;
  readonly distribution: cloudfront.Distribution;
  #publicFiles: cloudfront.CachePolicy | undefined;
  #uploadCeiling: CloudFrontFunction | undefined;

  constructor(scope: Construct, id: string, { apiHost, routes, originSecret, settings }: EdgeProps) {
    super(scope, id);
    const { domain, webAclArn, originSecretVersion: versionId } = settings;
    // CloudFormation resolves it only when it deploys a changed distribution. A rotation therefore names the new version.
    const secret = SecretValue.secretsManager(originSecret.secretArn, versionId === undefined ? {} : { versionId });
    const behaviour = behaviourWith(secret.unsafeUnwrap(), httpsOnly(this));
    const api = behaviour(apiHost);
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      defaultBehavior: api,
      errorResponses: uncachedErrorStatuses.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      ...this.#ownName(settings),
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
    });
    for (const { path, host, isCached, isUpload } of routes) {
      const { origin, ...options } = host === undefined ? api : behaviour(host);
      const own = isCached ? this.#cached(options) : isUpload ? this.#bounded(options) : options;
      // `/assets/{key+}` is `/assets/*` to CloudFront.
      this.distribution.addBehavior(path.replaceAll(/\{[^}]+\}/g, '*'), origin, own);
    }
    if (domain?.hostedZoneId !== undefined) this.#addRecords(domain.hostedZoneId, domain.name);
    this.url = `https://${domain?.name ?? this.distribution.distributionDomainName}`;
    acknowledgeDistribution(this.distribution, settings);
  }

  #ownName({ domain }: EdgeProps['settings']): Partial<cloudfront.DistributionProps> {
    if (!domain) return {};
    return {
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  /**
   * The cache key is the path and the support for gzip, without query and cookies. The answer's headers set the
   * lifetime.
   */
  #cached({ originRequestPolicy, ...options }: Behaviour): Behaviour {
    this.#publicFiles ??= new cloudfront.CachePolicy(this, 'PublicFiles', {
      // Names are unique in the account, and another region may have a stack of the same name.
      cachePolicyName: `${Aws.STACK_NAME}-${Aws.REGION}-public-files`,
      comment: 'Answers that are the same for all callers, by their path.',
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.days(365),
      headerBehavior: cloudfront.CacheHeaderBehavior.none(),
      queryStringBehavior: cloudfront.CacheQueryStringBehavior.none(),
      cookieBehavior: cloudfront.CacheCookieBehavior.none(),
      // Functions compress answers. Without this policy they would not get the browser's header.
      enableAcceptEncodingGzip: true,
    });
    return { ...options, cachePolicy: this.#publicFiles };
  }

  /** Refuses uploads that are too large for any function, with the service's own error (lib/spec/decisions.md section 6). */
  #bounded(options: Behaviour): Behaviour {
    this.#uploadCeiling ??= new CloudFrontFunction(this, 'UploadCeiling', {
      comment: 'Refuse uploads that do not fit into a Lambda event.',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(uploadCeilingCode),
    });
    const refuse = { function: this.#uploadCeiling, eventType: cloudfront.FunctionEventType.VIEWER_REQUEST };
    return { ...options, functionAssociations: [refuse] };
  }

  #addRecords(hostedZoneId: string, zoneName: string): void {
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName });
    const target = RecordTarget.fromAlias(new CloudFrontTarget(this.distribution));
    new ARecord(this, 'AddressV4', { zone, target });
    new AaaaRecord(this, 'AddressV6', { zone, target });
  }
}

/**
 * Makes browsers use only HTTPS for a year. It covers only this host name, because other hosts of the domain may belong
 * to others.
 */
const httpsOnly = (scope: Construct): cloudfront.ResponseHeadersPolicy =>
  new cloudfront.ResponseHeadersPolicy(scope, 'HttpsOnly', {
    // Names are unique in the account, and another region may have a stack of the same name.
    responseHeadersPolicyName: `${Aws.STACK_NAME}-${Aws.REGION}`,
    securityHeadersBehavior: {
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: false, override: true },
    },
  });

/** Every request and every answer passes unchanged; the host name is that of the origin, which routes by it. */
const behaviourWith =
  (secret: string, responseHeadersPolicy: cloudfront.ResponseHeadersPolicy) =>
  (host: string): cloudfront.BehaviorOptions => ({
    origin: new HttpOrigin(host, {
      customHeaders: { [originHeader]: secret },
      protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
      // The maximum pause within an answer. The gateway gives up after 30 seconds; a stream sends a ping every 10.
      readTimeout: Duration.seconds(60),
      keepaliveTimeout: Duration.seconds(60),
    }),
    allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
    cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
    originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    // No redirect: the key would already have been sent in clear text.
    viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
    // Functions compress their answers themselves, so that ETags and the bound of 5 MB match the sent bytes.
    compress: false,
    responseHeadersPolicy,
  });

/** The host name of a URL that is resolved only at deployment. */
export const hostOf = (url: string): string => Fn.select(2, Fn.split('/', url));

const { message, code } = bodyTooLarge(true);

/** Runs at CloudFront, so it cannot import other modules. */
const uploadCeilingCode = `function handler(event) {
  var length = event.request.headers['content-length'];
  if (!length || !(Number(length.value) > ${eventUploadBytesMax})) return event.request;
  return {
    statusCode: 413,
    statusDescription: 'Content Too Large',
    headers: {
      'content-type': { value: 'application/json; charset=utf-8' },
      'cache-control': { value: 'no-store' },
      'x-content-type-options': { value: 'nosniff' },
      'x-request-id': { value: event.context.requestId }
    },
    body: { encoding: 'text', data: ${JSON.stringify(JSON.stringify({ message, code }))} }
  };
}
`;

import { Duration, Fn } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { originHeader } from '#lib/http/origin-header.ts';
import { acknowledgeDistribution, acknowledgeOriginSecret } from './acknowledgements.ts';
import type { Settings } from './settings.ts';
import { uploadCeiling } from './upload-ceiling.ts';

/** A path that something else than the HTTP API answers. */
export interface DirectRoute {
  /** As it is declared. */
  readonly path: string;
  /** The host name that answers. */
  readonly host: string;
}

export interface EdgeProps {
  /** The host name of the HTTP API. */
  readonly apiHost: string;
  readonly direct: readonly DirectRoute[];
  /** Paths of uploads that reach a function through the HTTP API. */
  readonly uploadPaths: readonly string[];
  readonly originSecret: OriginSecret;
  readonly settings: Pick<Settings, 'domainName' | 'certificateArn'>;
}

/** CloudFront would keep these for 10 seconds otherwise, and hand what one key was refused to the next. */
const statusesNeverKept = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** The one address of the service. It keeps nothing, and tells the functions that a request came through it. */
export class Edge extends Construct {
  /** Where the service answers. */
  readonly url: string;
  readonly distribution: cloudfront.Distribution;

  constructor(scope: Construct, id: string, { apiHost, direct, uploadPaths, originSecret, settings }: EdgeProps) {
    super(scope, id);
    const { domainName, certificateArn } = settings;
    const api = behaviour(apiHost, originSecret);
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      defaultBehavior: api,
      errorResponses: statusesNeverKept.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      ...(domainName !== undefined &&
        certificateArn !== undefined && {
          domainNames: [domainName],
          certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
          minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
        }),
    });
    for (const { path, host } of direct) {
      const { origin, ...options } = behaviour(host, originSecret);
      this.distribution.addBehavior(pathPattern(path), origin, options);
    }
    if (uploadPaths.length > 0) {
      const { origin, ...options } = api;
      const refuse = {
        function: uploadCeiling(this, 'UploadCeiling'),
        eventType: cloudfront.FunctionEventType.VIEWER_REQUEST,
      };
      for (const path of uploadPaths) {
        this.distribution.addBehavior(pathPattern(path), origin, { ...options, functionAssociations: [refuse] });
      }
    }
    this.url = `https://${domainName ?? this.distribution.distributionDomainName}`;
    acknowledgeDistribution(this.distribution, certificateArn !== undefined);
  }
}

/** The value of the header that tells functions a request came through the distribution. */
export class OriginSecret extends Secret {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'What CloudFront sends so that functions refuse whoever goes round it.',
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
    });
    acknowledgeOriginSecret(this);
  }
}

/** Every request passes as it is, and every answer; the host name is that of the origin, which routes by it. */
const behaviour = (host: string, originSecret: OriginSecret): cloudfront.BehaviorOptions => ({
  origin: new HttpOrigin(host, {
    // CloudFormation puts the value in when it deploys; the template names it only.
    customHeaders: { [originHeader]: originSecret.secretValue.unsafeUnwrap() },
    protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
    // Silence between two pieces of an answer: the gateway gives up after 30 seconds, a stream pings every 10.
    readTimeout: Duration.seconds(60),
    keepaliveTimeout: Duration.seconds(60),
  }),
  allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
  cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
  originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  // A redirect would come when the key has travelled in the clear already.
  viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
  compress: false,
});

/** `/assets/{key+}` is `/assets/*` to CloudFront. */
const pathPattern = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '*');

/** The host name of a URL that only the deployment knows. */
export const hostOf = (url: string): string => Fn.select(2, Fn.split('/', url));

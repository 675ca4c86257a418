import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, Aws, DockerImage, Duration, Fn, Names, Stack } from 'aws-cdk-lib';
import type { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeCodeCopy } from './acknowledgements.ts';
import { functionRole } from './service-function.ts';
import type { Settings } from './settings.ts';

export interface WebUploadProps {
  /** The bundle of the function, which exports `web` beside `handler`. */
  readonly code: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly access: readonly PolicyStatement[];
  readonly settings: Pick<Settings, 'logRetentionDays' | 'removalPolicy'>;
}

/** Each upload holds parts of 5 MB, and an environment has 2 GB. */
const maxUploadsPerEnvironment = 16;

/** 320 concurrent uploads. Nothing else bounds the cost of this public endpoint. */
const maxEnvironments = 20;

/** The lowest rate that Lambda accepts. */
const requestsPerSecond = 100;

const server = fileURLToPath(new URL('web-server.cjs', import.meta.url));

/** A Lambda web function: it takes bodies as plain HTTP, which are larger than an event could be. */
export class WebUpload extends Construct {
  /** The host name of the function URL. */
  readonly host: string;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, { code, environment, access, settings }: WebUploadProps) {
    super(scope, id);
    const { logRetentionDays: retention, removalPolicy } = settings;
    this.logGroup = new LogGroup(this, 'Log', { retention, removalPolicy });
    this.role = functionRole(this, this.logGroup, access);
    const web = new lambda.WebFunction(this, 'Web', {
      // Names are unique in the account, not in the region.
      webFunctionName: Fn.join('-', [Names.uniqueResourceName(this, { maxLength: 40 }), Aws.REGION]),
      code: withServer(code),
      entryPoint: 'web-server.cjs',
      runtime: lambda.WebFunctionRuntime.NODEJS_24_X,
      role: this.role,
      environment: { ...environment },
      logGroup: this.logGroup,
      timeout: Duration.seconds(900),
      maxConcurrencyPerEnvironment: maxUploadsPerEnvironment,
      defaultEndpoint: { maxEnvironments, rateLimit: requestsPerSecond },
      // A signature of CloudFront would overwrite the caller's Authorization; the function checks every request.
      defaultEndpointAuth: lambda.WebFunctionAuthType.APPLICATION_MANAGED,
    });
    acknowledge(web.endpoint, 'publicEndpoint');
    acknowledgeCodeCopy(Stack.of(this));
    this.host = web.endpoint.domainName;
  }
}

/** The bundle with the server. Nothing is built in an image, so no image is needed. */
const withServer = (code: string): lambda.WebFunctionCode =>
  lambda.WebFunctionCode.fromAssetToManagedBucket(code, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (folder) => {
          cpSync(code, folder, { recursive: true });
          cpSync(server, join(folder, 'web-server.cjs'));
          return true;
        },
      },
    },
  });

import { SecretValue } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';

/** The secrets that the stack makes for itself (lib/secrets/README.md). */
export const secretsOf = (scope: Construct) => ({
  originSecret: new OriginSecret(scope),
  signingSecret: signingSecret(scope),
});

const generated = { excludePunctuation: true, passwordLength: 48 };

/** The header value that proves to the functions that a request passed through the distribution. */
export class OriginSecret extends Secret {
  constructor(scope: Construct) {
    super(scope, 'OriginSecret', {
      description: 'The header value that CloudFront sends; functions refuse requests without it.',
      generateSecretString: generated,
    });
    acknowledge(this, 'originSecret');
  }

  /**
   * A reference to the value. CloudFormation resolves it only when it deploys a changed distribution. A rotation
   * therefore names the new version.
   * @param versionId the current version by default
   */
  sentValue(versionId?: string): string {
    const value =
      versionId === undefined ? this.secretValue : SecretValue.secretsManager(this.secretArn, { versionId });
    return value.unsafeUnwrap();
  }
}

/** The origin secret leaves the stack with every request to an origin. The keys of functions come from this one. */
function signingSecret(scope: Construct): Secret {
  const secret = new Secret(scope, 'SigningSecret', {
    description: 'Functions derive their keys from it; it never leaves the stack.',
    generateSecretString: generated,
  });
  acknowledge(secret, 'signingSecret');
  return secret;
}

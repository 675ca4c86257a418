import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';

/**
 * The secrets that the stack makes for itself (lib/secrets/README.md). The origin secret leaves the stack with every
 * request to an origin. The keys of functions come from the other one.
 */
export function secretsOf(scope: Construct) {
  const secret = (id: 'OriginSecret' | 'SigningSecret', description: string): Secret => {
    const generateSecretString = { excludePunctuation: true, passwordLength: 48 };
    const made = new Secret(scope, id, { description, generateSecretString });
    acknowledge(made, id);
    return made;
  };
  return {
    originSecret: secret(
      'OriginSecret',
      'The header value that CloudFront sends; functions refuse requests without it.',
    ),
    signingSecret: secret('SigningSecret', 'Functions derive their keys from it; it never leaves the stack.'),
  };
}

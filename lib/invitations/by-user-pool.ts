import {
  AdminCreateUserCommand,
  type AdminCreateUserCommandInput,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { quietLogger } from '#lib/aws/quiet-logger.ts';
import type { Invitation, Outcome } from './invitation.ts';

/** The SDK finds region, endpoint and credentials in the environment. */
const client = new CognitoIdentityProviderClient({
  logger: quietLogger,
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 4_000, throwOnRequestTimeout: true },
});

/** Creates an account and mails its first password. If the person has not chosen a password yet, it mails a new one. */
export async function inviteByUserPool(
  userPoolId: string,
  { address }: Pick<Invitation, 'address'>,
  abortSignal: AbortSignal,
): Promise<Outcome> {
  const create = async (more: Partial<AdminCreateUserCommandInput>): Promise<Outcome | 'exists' | 'signed up'> => {
    const user = { UserPoolId: userPoolId, Username: address, DesiredDeliveryMediums: ['EMAIL' as const], ...more };
    try {
      await client.send(new AdminCreateUserCommand(user), { abortSignal });
      return { sent: true };
    } catch (error) {
      return outcomes[(error as Error).name] ?? { unavailable: String(error) };
    }
  };
  const verified = [
    { Name: 'email', Value: address },
    { Name: 'email_verified', Value: 'true' },
  ];
  const created = await create({ UserAttributes: verified });
  const outcome = created === 'exists' ? await create({ MessageAction: 'RESEND' }) : created;
  // A user with a password can sign in, and needs no other invitation.
  if (outcome === 'signed up') return { sent: true };
  return outcome === 'exists' ? { unavailable: 'The user pool has its user, and has not.' } : outcome;
}

const outcomes: Readonly<Record<string, Outcome | 'exists' | 'signed up'>> = {
  UsernameExistsException: 'exists',
  UnsupportedUserStateException: 'signed up',
  InvalidParameterException: { refused: 'The user pool refuses this e-mail address.' },
};

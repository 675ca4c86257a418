import { Aws, Duration, Fn } from 'aws-cdk-lib';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { callbackPath, consolePath } from '#lib/session/paths.ts';
import { acknowledge } from './acknowledgements.ts';
import type { Issuer, IssuerAddresses } from './issuer.ts';
import type { Settings } from './settings.ts';

/** The identity provider of members, and the address of the service. */
export interface Identity {
  /** The base URL of the service. */
  readonly publicUrl: string;
  readonly issuer: Issuer;
  /** Undefined if the settings name another issuer. */
  readonly userPool: cognito.UserPool | undefined;
}

interface IdentityProps {
  readonly issuer: IssuerAddresses | undefined;
  readonly settings: Settings;
}

/** A user pool of the stack, unless the settings name another issuer. */
export function identityOf(scope: Construct, publicUrl: string, { issuer, settings }: IdentityProps): Identity {
  if (!settings.issuer) {
    return makeUserPool(new Construct(scope, 'Identity'), publicUrl, settings);
  }
  if (!issuer) throw new Error('The addresses of the issuer are not known.');
  const { clientId, secretArn } = settings.issuer;
  // If the issuer has no sign-out, the browser returns to the console directly.
  const { logoutUrl = `${publicUrl}${consolePath}`, ...addresses } = issuer;
  return { publicUrl, issuer: { ...addresses, logoutUrl, clientId, secretArn }, userPool: undefined };
}

/** The users who sign in: by e-mail, and by invitation only. Only the table has the memberships. */
function makeUserPool(scope: Construct, publicUrl: string, settings: Settings): Identity {
  const isLite = settings.userPoolPlan === 'lite';
  const userPool = new cognito.UserPool(scope, 'Pool', {
    featurePlan: isLite ? cognito.FeaturePlan.LITE : cognito.FeaturePlan.ESSENTIALS,
    ...signIn,
    mfa: secondFactors[settings.secondFactor],
    ...(settings.secondFactor !== 'off' && { mfaSecondFactor: { otp: true, sms: false } }),
    // Cognito's own sender ignores the text.
    ...(settings.mail && { userInvitation: invitation(publicUrl), email: throughSes(settings.mail) }),
    deletionProtection: settings.deletionProtection,
    removalPolicy: settings.removalPolicy,
  });
  const { userPoolId } = userPool;
  // With another id it would be another pool, without users.
  (userPool.node.defaultChild as cognito.CfnUserPool).overrideLogicalId('WorkspaceUserPool');
  acknowledge(userPool, 'userPool');
  const { userPoolClientId: clientId } = userPool.addClient('Client', clientOf(publicUrl));
  // A prefix must be unique in its region. The id of the stack is unique, and contains no word that Cognito refuses.
  const domainPrefix = Fn.join('-', ['console', Fn.select(2, Fn.split('/', Aws.STACK_ID))]);
  const { CLASSIC_HOSTED_UI, NEWER_MANAGED_LOGIN } = cognito.ManagedLoginVersion;
  userPool.addDomain('Domain', {
    cognitoDomain: { domainPrefix },
    managedLoginVersion: isLite ? CLASSIC_HOSTED_UI : NEWER_MANAGED_LOGIN,
  });
  // Without a style, the newer pages are unavailable.
  if (!isLite)
    new cognito.CfnManagedLoginBranding(scope, 'Style', { userPoolId, clientId, useCognitoProvidedValues: true });
  return { publicUrl, issuer: { ...addressesOf(userPoolId, domainPrefix), clientId }, userPool };
}

const secondFactors = {
  off: cognito.Mfa.OFF,
  optional: cognito.Mfa.OPTIONAL,
  required: cognito.Mfa.REQUIRED,
} as const;

const signIn: cognito.UserPoolProps = {
  selfSignUpEnabled: false,
  signInAliases: { email: true },
  signInCaseSensitive: false,
  standardAttributes: { email: { required: true, mutable: true } },
  autoVerify: { email: true },
  // A new address must be verified first. Otherwise users could sign in with the address of another person.
  keepOriginal: { email: true },
  accountRecovery: cognito.AccountRecovery.EMAIL_ONLY,
  passwordPolicy: {
    minLength: 12,
    requireLowercase: true,
    requireUppercase: true,
    requireDigits: true,
    requireSymbols: true,
    tempPasswordValidity: Duration.days(7),
  },
};

/** Cognito puts name and first password in place of the two marks. */
const invitation = (publicUrl: string): cognito.UserInvitationConfig => ({
  emailSubject: 'You are invited to the management console',
  emailBody: [
    '<p>You are invited to the management console.</p>',
    `<p>Sign in at <a href="${publicUrl}${consolePath}">${publicUrl}${consolePath}</a></p>`,
    '<p>E-mail address: {username}<br>First password: {####}</p>',
    '<p>The first password counts for seven days. You choose your own when you sign in.</p>',
    '<p dir="rtl">تمت دعوتك إلى لوحة الإدارة. سجّل الدخول من الرابط أعلاه بكلمة المرور الأولى، ثم اختر كلمة مرور خاصة بك.</p>',
  ].join('\n'),
});

/** Cognito's own sender is for trials: it sends 50 mails a day and drops the rest. */
const throughSes = ({ from, identity }: NonNullable<Settings['mail']>): cognito.UserPoolEmail =>
  cognito.UserPoolEmail.withSES({
    fromEmail: from,
    sesRegion: Aws.REGION,
    ...(identity !== undefined && { sesVerifiedDomain: identity }),
  });

/** Public, so that there is no secret to keep; PKCE takes its place. The service reads one ID token and keeps none. */
const clientOf = (publicUrl: string): cognito.UserPoolClientOptions => ({
  generateSecret: false,
  oAuth: {
    flows: { authorizationCodeGrant: true },
    scopes: [cognito.OAuthScope.OPENID, cognito.OAuthScope.EMAIL],
    callbackUrls: [`${publicUrl}${callbackPath}`],
    logoutUrls: [`${publicUrl}${consolePath}`],
  },
  supportedIdentityProviders: [cognito.UserPoolClientIdentityProvider.COGNITO],
  preventUserExistenceErrors: true,
  idTokenValidity: Duration.minutes(5),
  accessTokenValidity: Duration.minutes(5),
  refreshTokenValidity: Duration.hours(1),
});

function addressesOf(userPoolId: string, prefix: string): Omit<Issuer, 'clientId'> {
  const issuer = `https://cognito-idp.${Aws.REGION}.amazonaws.com/${userPoolId}`;
  const pages = `https://${prefix}.auth.${Aws.REGION}.amazoncognito.com`;
  return {
    issuer,
    authorizeUrl: `${pages}/oauth2/authorize`,
    tokenUrl: `${pages}/oauth2/token`,
    jwksUrl: `${issuer}/.well-known/jwks.json`,
    logoutUrl: `${pages}/logout`,
  };
}

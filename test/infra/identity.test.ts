import { describe, expect, it } from '@jest/globals';
import { sampleChoices } from './choices.ts';
import { sampleDeclarations } from './sample-declarations.ts';
import { isAllowed, roleOf } from './statements.ts';
import { functionsByName, type Resource, resourcesOf, type Synthesis, synthesize, variablesOf } from './synthesize.ts';

const plain = await synthesize(sampleDeclarations);
const lite = await synthesize(sampleDeclarations, sampleChoices.lite);
const foreign = await synthesize(sampleDeclarations, sampleChoices.foreign);

const only = (synthesis: Synthesis, type: string): Resource => {
  const [[, resource], ...others] = resourcesOf(synthesis, type) as [[string, Resource]];
  expect(others).toEqual([]);
  return resource;
};
const variables = (synthesis: Synthesis, name: string) =>
  variablesOf(functionsByName(synthesis).get(name)?.fn as Resource);
const mayInvite = (synthesis: Synthesis, name: string, resource: string) =>
  isAllowed(roleOf(synthesis, functionsByName(synthesis).get(name)?.fn as Resource), {
    action: 'cognito-idp:AdminCreateUser',
    resource,
  });
const joined = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
const distribution = { 'Fn::GetAtt': [resourcesOf(plain, 'AWS::CloudFront::Distribution')[0]?.[0], 'DomainName'] };
const region = { Ref: 'AWS::Region' };

describe('the user pool', () => {
  it('accepts only invited people, by verified e-mail', () => {
    expect(only(plain, 'AWS::Cognito::UserPool').Properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      AutoVerifiedAttributes: ['email'],
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
      UserPoolTier: 'ESSENTIALS',
      Policies: { PasswordPolicy: { MinimumLength: 12, TemporaryPasswordValidityDays: 7 } },
    });
  });

  it('outlives the stack under a fixed logical id, since with another it would be another pool', () => {
    const [[id, pool]] = resourcesOf(plain, 'AWS::Cognito::UserPool') as [[string, Resource]];
    expect(id).toBe('WorkspaceUserPool');
    expect(pool).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    expect(pool.Properties['DeletionProtection']).toBe('INACTIVE');
    const trial = only(lite, 'AWS::Cognito::UserPool');
    expect([trial.DeletionPolicy, trial.Properties['DeletionProtection']]).toEqual(['Delete', 'ACTIVE']);
  });

  it('mails through SES from the address of the settings, else by Cognito', () => {
    expect(only(plain, 'AWS::Cognito::UserPool').Properties).not.toHaveProperty('EmailConfiguration');
    // Cognito's own sender would ignore the text.
    expect(JSON.stringify(only(plain, 'AWS::Cognito::UserPool').Properties)).not.toContain('{username}');
    const { EmailConfiguration } = only(lite, 'AWS::Cognito::UserPool').Properties as Record<string, object>;
    expect(EmailConfiguration).toMatchObject({
      EmailSendingAccount: 'DEVELOPER',
      From: 'team@saffron.example',
    });
    expect(JSON.stringify(EmailConfiguration)).toContain(':identity/saffron.example');
  });

  it('mails the address of the console to invited people', () => {
    const { AdminCreateUserConfig } = only(lite, 'AWS::Cognito::UserPool').Properties as Record<string, object>;
    const text = JSON.stringify(AdminCreateUserConfig);
    expect(text).toContain('https://api.saffron.example/console');
    for (const mark of ['{username}', '{####}']) expect(text).toContain(mark);
  });

  it('has a public client only for the authorization code, which redirects only to the service', () => {
    const { Properties } = only(plain, 'AWS::Cognito::UserPoolClient');
    expect(Properties).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email'],
      SupportedIdentityProviders: ['COGNITO'],
      PreventUserExistenceErrors: 'ENABLED',
      CallbackURLs: [joined('https://', distribution, '/api/v1/session/callback')],
      LogoutURLs: [joined('https://', distribution, '/console')],
    });
    expect(only(lite, 'AWS::Cognito::UserPoolClient').Properties).toMatchObject({
      CallbackURLs: ['https://api.saffron.example/api/v1/session/callback'],
      LogoutURLs: ['https://api.saffron.example/console'],
    });
  });

  it('has sign-in pages, styled with the plan essentials and not with lite', () => {
    expect(only(plain, 'AWS::Cognito::UserPoolDomain').Properties['ManagedLoginVersion']).toBe(2);
    expect(only(plain, 'AWS::Cognito::ManagedLoginBranding').Properties).toMatchObject({
      UseCognitoProvidedValues: true,
    });
    expect(only(lite, 'AWS::Cognito::UserPool').Properties['UserPoolTier']).toBe('LITE');
    expect(only(lite, 'AWS::Cognito::UserPoolDomain').Properties['ManagedLoginVersion']).toBe(1);
    expect(resourcesOf(lite, 'AWS::Cognito::ManagedLoginBranding')).toEqual([]);
  });
});

describe('a function', () => {
  it('a function with "identity:sign-in" gets the addresses of the pool and of the service, and no secret', () => {
    const prefix = JSON.stringify(only(plain, 'AWS::Cognito::UserPoolDomain').Properties['Domain']);
    const { OIDC_ISSUER, OIDC_JWKS_URL, OIDC_CLIENT_ID, PUBLIC_URL, ...rest } = variables(plain, 'thing-sign-in');
    const pool = { Ref: 'WorkspaceUserPool' };
    expect(OIDC_ISSUER).toEqual(joined('https://cognito-idp.', region, '.amazonaws.com/', pool));
    expect(OIDC_JWKS_URL).toEqual(
      joined('https://cognito-idp.', region, '.amazonaws.com/', pool, '/.well-known/jwks.json'),
    );
    expect(OIDC_CLIENT_ID).toEqual({ Ref: resourcesOf(plain, 'AWS::Cognito::UserPoolClient')[0]?.[0] });
    expect(PUBLIC_URL).toEqual(joined('https://', distribution));
    for (const [name, path] of [
      ['OIDC_AUTHORIZE_URL', '/oauth2/authorize'],
      ['OIDC_TOKEN_URL', '/oauth2/token'],
      ['OIDC_LOGOUT_URL', '/logout'],
    ] as const) {
      const text = JSON.stringify(rest[name]);
      expect([text.includes('.amazoncognito.com'), text.endsWith(`${path}"]]}`)]).toEqual([true, true]);
      expect(text).toContain(prefix.slice(prefix.indexOf('{"Fn::Select"'), prefix.lastIndexOf(']]}')));
    }
    expect(rest).not.toHaveProperty('OIDC_SECRET_ARN');
    expect(variables(lite, 'thing-sign-in')['PUBLIC_URL']).toBe('https://api.saffron.example');
  });

  it('a function with "identity:invite" may invite people through this pool, and no other function may', () => {
    expect(variables(plain, 'thing-invite')).toMatchObject({
      USER_POOL_ID: { Ref: 'WorkspaceUserPool' },
      PUBLIC_URL: joined('https://', distribution),
    });
    expect(variables(lite, 'thing-invite')).not.toHaveProperty('MAIL_FROM');
    const names = [...functionsByName(plain).keys()];
    expect(names.filter((name) => mayInvite(plain, name, 'WorkspaceUserPool'))).toEqual(['thing-invite']);
    expect(mayInvite(plain, 'thing-invite', 'arn:aws:cognito-idp:eu-west-1:111122223333:userpool/other')).toBe(false);
    expect(JSON.stringify(roleOf(lite, functionsByName(lite).get('thing-invite')?.fn as Resource))).not.toContain(
      'ses:',
    );
  });

  it('behind a function URL gets no value that depends on its own address', () => {
    for (const name of ['thing-talk', 'thing-download', 'thing-read']) {
      expect(Object.keys(variables(plain, name)).filter((variable) => /OIDC|PUBLIC|POOL/.test(variable))).toEqual([]);
    }
  });
});

describe('with oidcIssuer', () => {
  it('with oidcIssuer, the stack has no pool', () => {
    const types = Object.values<Resource>(foreign.template.toJSON()['Resources']).map(({ Type }) => Type);
    expect(types.filter((type) => type.startsWith('AWS::Cognito'))).toEqual([]);
    expect(foreign.template.toJSON()['Outputs']).not.toHaveProperty('UserPoolId');
  });

  it('with oidcIssuer, functions get the addresses of the issuer, and may read the secret of the client', () => {
    expect(variables(foreign, 'thing-sign-in')).toMatchObject({
      OIDC_ISSUER: 'https://issuer.example',
      OIDC_AUTHORIZE_URL: 'https://issuer.example/authorize',
      OIDC_TOKEN_URL: 'https://issuer.example/token',
      OIDC_JWKS_URL: 'https://issuer.example/keys',
      OIDC_LOGOUT_URL: 'https://issuer.example/logout',
      OIDC_CLIENT_ID: 'workspace',
      OIDC_SECRET_ARN: sampleChoices.foreign.issuer.secretArn,
    });
    const mayRead = [...functionsByName(foreign)].filter(([, { fn }]) =>
      isAllowed(roleOf(foreign, fn), {
        action: 'secretsmanager:GetSecretValue',
        resource: sampleChoices.foreign.issuer.secretArn,
      }),
    );
    expect(mayRead.map(([name]) => name)).toEqual(['thing-sign-in']);
  });

  it('with oidcIssuer, the service mails invitations itself', () => {
    expect(variables(foreign, 'thing-invite')['MAIL_FROM']).toBe('team@saffron.example');
    expect(variables(foreign, 'thing-invite')).not.toHaveProperty('USER_POOL_ID');
    const role = roleOf(foreign, functionsByName(foreign).get('thing-invite')?.fn as Resource);
    const send = {
      action: 'ses:SendEmail',
      resource: 'arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:identity/saffron.example',
    };
    expect(isAllowed(role, { ...send, context: { 'ses:FromAddress': 'team@saffron.example' } })).toBe(true);
    expect(isAllowed(role, { ...send, context: { 'ses:FromAddress': 'ceo@saffron.example' } })).toBe(false);
  });
});

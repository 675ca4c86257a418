import { secretIssuer } from '#lib/manage/issue-secret.ts';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { newSecret } from '#lib/table/access/new-secret.ts';
import { keyRules } from './access-rules.ts';

export const apiKeys = secretIssuer({ apiKey: keyRules }, () => {
  const secret = newSecret();
  return { stored: hashOfSecret(secret), secretOf: () => secret };
});

import { Secret } from '#lib/secrets/secret.ts';
import { ModelError } from '../engine.ts';
import type { OpenAiSettings } from '../engine-settings.ts';

/** Secrets by ARN. A deployment has at most one. */
const secrets = new Map<string, Secret>();

/**
 * The key for the server of the model: from the environment, or from the secret that the environment names.
 * @param refused the key that the server has just refused. The secret is then reread, at most every ten seconds, so
 * that a new key needs no deployment
 * @returns undefined if the server needs no key
 * @throws ModelError when the secret cannot be read
 */
export async function openAiKey(
  { apiKey, apiKeySecret }: Pick<OpenAiSettings, 'apiKey' | 'apiKeySecret'>,
  refused?: string,
): Promise<string | undefined> {
  if (apiKey !== undefined || apiKeySecret === undefined) return apiKey;
  const secret = secrets.get(apiKeySecret) ?? new Secret(apiKeySecret);
  secrets.set(apiKeySecret, secret);
  const [key] = await read(secret.values());
  if (refused === undefined || key?.trim() !== refused) return key?.trim();
  const [current] = await read(secret.reread());
  return current?.trim();
}

const read = (values: Promise<readonly string[]>): Promise<readonly string[]> =>
  values.catch(() => {
    throw new ModelError('unavailable', "The secret with the key of the model's server cannot be read.");
  });

import { type SecretReader, secretReader } from '#lib/secrets/secret-reader.ts';
import { ModelError } from '../engine.ts';
import type { OpenAiSettings } from '../engine-settings.ts';

const readers = new Map<string, SecretReader>();

/**
 * The key to send along, if the server wants one: from the environment, or from the secret that it names, which is
 * read once per container.
 * @throws ModelError when the secret cannot be read
 */
export async function openAiKey({ apiKey, apiKeySecret }: OpenAiSettings): Promise<string | undefined> {
  if (apiKey !== undefined || apiKeySecret === undefined) return apiKey;
  const read = readers.get(apiKeySecret) ?? secretReader(apiKeySecret);
  readers.set(apiKeySecret, read);
  const secret = await read().catch(() => {
    throw new ModelError('unavailable', "The secret with the key of the model's server cannot be read.");
  });
  return secret.trim();
}

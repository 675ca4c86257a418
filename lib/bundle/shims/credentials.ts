/** Reads the credentials that Lambda, and the local run, put into the environment. */
const fromEnvironment = async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error('The environment of this function has no credentials.');
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
};

/**
 * Replaces the SDK's default credential chain. The other providers of the SDK make up a third of every bundle, and
 * Lambda has no use for them.
 */
export const defaultProvider = () => fromEnvironment;

/** The credentials of a function: Lambda puts those of its role into the environment, and so does the local run. */
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
 * What bundles have in the place of the SDK's search for credentials, by its name there: profiles, single sign-on, web
 * identities and instance metadata would be a third of every bundle, and none of them is to be found on Lambda.
 */
export const defaultProvider = () => fromEnvironment;

/** Replaces the SDK's reader of `~/.aws/config` and `~/.aws/credentials`: a function has neither file. */
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });

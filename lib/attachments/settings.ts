/** The base URL of downloads, without a trailing slash. The local run sets it after it listens. */
export const assetBaseUrl = (): string => process.env['ASSET_BASE_URL'] ?? '';

/** The address that downloads are served from, without a slash at its end; the local run knows it once it listens. */
export const assetBaseUrl = (): string => process.env['ASSET_BASE_URL'] ?? '';

/** The table, for work that no request has asked for. */
export const tableName = (): string => process.env['TABLE_NAME'] ?? '';

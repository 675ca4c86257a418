/**
 * The public address of the service, which is never taken from a request. The local run sets it after it listens.
 * Functions behind a function URL do not have it, because the address depends on them.
 */
export const publicUrl = (): string | undefined => process.env['PUBLIC_URL'] || undefined;

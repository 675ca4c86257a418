/**
 * The address of the service as callers see it, never taken from a request. Locally it is known once the service
 * listens. Functions behind a function URL do not know it, because the address leads to them.
 */
export const publicUrl = (): string | undefined => process.env['PUBLIC_URL'] || undefined;

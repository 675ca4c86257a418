import type { Inviter } from './invite.ts';

/** What the environment says of invitations. Read with each call: locally the address is known last. */
export const inviterSettings = (): Inviter & { readonly publicUrl: string } => ({
  publicUrl: process.env['PUBLIC_URL'] ?? '',
  userPoolId: process.env['USER_POOL_ID'],
  mailFrom: process.env['MAIL_FROM'],
});

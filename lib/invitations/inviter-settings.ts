import type { Inviter } from './invite.ts';

/** The settings of invitations, read from the environment at each call: locally the address is set last. */
export const inviterSettings = (): Inviter & { readonly publicUrl: string } => ({
  publicUrl: process.env['PUBLIC_URL'] ?? '',
  userPoolId: process.env['USER_POOL_ID'],
  mailFrom: process.env['MAIL_FROM'],
});

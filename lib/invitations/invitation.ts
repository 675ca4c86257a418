/** The invited person, and the URL of the sign-in. */
export interface Invitation {
  /** An e-mail address, as `memberAddress` spells it. */
  readonly address: string;
  readonly workspaceName: string;
  /** The base URL of the service, without a slash at its end. */
  readonly publicUrl: string;
}

/** The result of an invitation: permanent or temporary. The texts say why. */
export type Outcome = { readonly sent: true } | { readonly refused: string } | { readonly unavailable: string };

/** An invitation to this address is refused permanently. The message says why. */
export class InvitationRefused extends Error {
  override readonly name = 'InvitationRefused';
}

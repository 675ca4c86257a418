/** Who is invited, and where to. */
export interface Invitation {
  /** An e-mail address, as `memberAddress` spells it. */
  readonly address: string;
  readonly workspaceName: string;
  /** Where the service answers, without a slash at its end. */
  readonly publicUrl: string;
}

/** What has become of an invitation: for good, or for now; the texts say why. */
export type Outcome = { readonly sent: true } | { readonly refused: string } | { readonly unavailable: string };

/** An invitation to this address is refused for good; the message says why. */
export class InvitationRefused extends Error {
  override readonly name = 'InvitationRefused';
}

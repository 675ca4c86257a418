type RefusalReason =
  | 'missing'
  | 'duplicate'
  | 'orphaned'
  | 'in_use'
  | 'use_import'
  | 'last_manager'
  | 'no_member'
  | 'too_many_keys'
  | 'too_many_webhooks';

/**
 * The reason for a refused change. Nothing is stored. `orphaned`: a parent was removed since it was read. `in_use`: the
 * database has entries. `use_import`: the change would rewrite more rows than one request can. `last_manager`: no other
 * active member could manage members. `no_member` and `too_many_keys` are about the member of a new key.
 * `too_many_webhooks`: the workspace has 20.
 */
export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`The change was refused: ${reason}.`);
    this.reason = reason;
  }
}

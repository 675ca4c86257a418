import { createHash } from 'node:crypto';
import { idInKey } from '#lib/domain/attachment-key.ts';
import { channelName } from '#lib/domain/channel.ts';
import { type CustomerDetails, type Identity, identitiesOf } from '#lib/domain/customer-match.ts';
import type { RecordKind } from './keys.ts';

/** A record as far as it has a name. */
export interface Named {
  readonly id: string;
  readonly slug?: string;
  readonly identifier?: string;
  readonly type?: string;
  readonly s3Key?: string;
}

/**
 * What a record is found by beside its id: its slug, what no two channels share, or what customers are matched by,
 * which several may share.
 */
export function namesOf(kind: RecordKind, record: Named): string[] {
  if (kind === 'customer') {
    return identitiesOf(record as CustomerDetails).map((identity) => `${identityHash(identity)}#${record.id}`);
  }
  const { slug, identifier, type, s3Key } = record;
  // A key that the service has made tells the id itself.
  if (s3Key !== undefined) return idInKey(s3Key) === record.id ? [] : [s3Key];
  const name = identifier !== undefined && type !== undefined ? channelName({ type, identifier }) : slug;
  return name === undefined ? [] : [name];
}

/** Whether a name of one record may become that of another; what customers are found by names the customer, too. */
export const canBeTaken = (kind: RecordKind): boolean => kind !== 'customer';

/** A hash, because such a text may be longer than a key. */
export const identityHash = ({ kind, value }: Identity): string =>
  `${kind}:${createHash('sha256').update(value).digest('hex')}`;

import { createHash } from 'node:crypto';
import { memberAddress } from '#lib/domain/access/member.ts';
import { idInKey } from '#lib/domain/messaging/attachment-key.ts';
import { channelName } from '#lib/domain/messaging/channel.ts';
import { type CustomerDetails, type Identity, identitiesOf } from '#lib/domain/messaging/customer-match.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { isAmongTimed, isAtItsTime, isDatedKind, misplacedPrefix } from './dated-ids.ts';
import type { RecordKind } from './keys.ts';

/** A record as far as it has a name. */
export interface Named {
  readonly id: string;
  readonly slug?: string;
  readonly identifier?: string;
  readonly type?: string;
  readonly s3Key?: string;
  /** The address of a member; customers are matched by theirs, too. */
  readonly email?: string | null;
  readonly createdAt?: string | undefined;
}

/**
 * The names that a record is found by beside its id: a slug, the identifier of a channel, or the details that customers
 * are matched by, which several may share.
 */
export const namesOf = (kind: RecordKind, record: Named): string[] => [
  ...ownNames(kind, record),
  ...(isDatedKind(kind) && isAmongTimed(kind, record.id) && !isAtItsTime(kind, record)
    ? [`${misplacedPrefix}${record.id}`]
    : []),
];

function ownNames(kind: RecordKind, record: Named): string[] {
  if (kind === 'customer') {
    const identities = identitiesOf(record as CustomerDetails).map(
      (identity) => `${identityHash(identity)}#${record.id}`,
    );
    return [...identities, listingOf(record as CustomerDetails & Named)];
  }
  if (kind === 'member') return [memberAddress(record.email) ?? []].flat();
  const { slug, identifier, type, s3Key } = record;
  // A key that the service has made contains the id.
  if (s3Key !== undefined) return idInKey(s3Key) === record.id ? [] : [s3Key];
  const name = identifier !== undefined && type !== undefined ? channelName({ type, identifier }) : slug;
  return name === undefined ? [] : [name];
}

/** Prefix of the keys that order customers by name; no identity begins with it. */
export const listingPrefix = 'name#';

/** A sort key has a maximum length, so longer names are cut. */
const listedBytesMax = 700;

/** Sort key of a customer in the order of names, ties by id. No name has a control character. */
function listingOf({ name, id }: CustomerDetails & Named): string {
  const bytes = Buffer.from(foldText(name ?? '').trim()).subarray(0, listedBytesMax);
  // A character that was cut in half is left out.
  const folded = new TextDecoder().decode(bytes, { stream: true });
  return `${listingPrefix}${folded}\u0001${id}`;
}

/** Whether a stored record has a name; a pointer under it may be left over from a former one. */
export const isNameOf = (kind: RecordKind, record: object, name: string): boolean =>
  namesOf(kind, record as Named).includes(name);

/** Whether a name of one record may become that of another; what customers are found by names the customer, too. */
export const isTransferable = (kind: RecordKind): boolean => kind !== 'customer';

/** A hash, because such a text may be longer than a key. */
export const identityHash = ({ kind, value }: Identity): string =>
  `${kind}:${createHash('sha256').update(value).digest('hex')}`;

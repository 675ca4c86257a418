import { createHash } from 'node:crypto';
import { memberAddress } from '#lib/domain/access/member.ts';
import { idInKey } from '#lib/domain/messaging/attachment-key.ts';
import { channelName } from '#lib/domain/messaging/channel.ts';
import { type CustomerDetails, type Identity, identitiesOf } from '#lib/domain/messaging/customer-match.ts';
import { cutToBytes } from '#lib/domain/text/code-points.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { hasTimeOfCreation, isDatedKind, misplacedPrefix, sortsByTime } from './dated-ids.ts';
import type { RecordKind } from './keys.ts';
import { referenceNames } from './references.ts';

/** The members of a record that can be its names. */
export interface Named {
  readonly id: string;
  readonly slug?: string;
  readonly identifier?: string;
  readonly type?: string;
  readonly s3Key?: string;
  /** A member's address, or that of a customer. */
  readonly email?: string | null;
  readonly createdAt?: string | undefined;
}

/**
 * The names of a record besides its id: a slug, a channel's identifier, or a customer's identities. Customers may share
 * identities. A response is also named by its form.
 */
export const namesOf = (kind: RecordKind, record: Named): string[] => [
  ...ownNames(kind, record),
  ...(isDatedKind(kind) && sortsByTime(kind, record.id) && !hasTimeOfCreation(kind, record)
    ? [`${misplacedPrefix}${record.id}`]
    : []),
  ...referenceNames(kind, record),
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

/** Prefix of the keys that sort customers by name; no identity begins with it. */
export const listingPrefix = 'name#';
/** Sorts after all of these keys. */
export const listingEnd = 'name$';

/** A sort key has a maximum length, so longer names are cut. */
const listedBytesMax = 700;

/** It sorts before every character of a name. */
const listingMark = '\u0001';

/** The sort key of a customer in the order of names, then ids. */
function listingOf({ name, id }: CustomerDetails & Named): string {
  return `${listingPrefix}${cutToBytes(foldText(name ?? '').trim(), listedBytesMax)}${listingMark}${id}`;
}

/** Whether a text has the form of such a key. */
export function isListingKey(text: string): boolean {
  const end = text.lastIndexOf(listingMark);
  const nameBytes = Buffer.byteLength(text.slice(listingPrefix.length, end));
  return text.startsWith(listingPrefix) && nameBytes <= listedBytesMax && isRecordId(text.slice(end + 1));
}

/** Whether a stored record has a name. If not, a pointer from the name to the record is outdated. */
export const isNameOf = (kind: RecordKind, record: object, name: string): boolean =>
  namesOf(kind, record as Named).includes(name);

/** Whether a name can pass from one record to another. The names of these kinds contain the record's id. */
export const isTransferable = (kind: RecordKind): boolean =>
  !['customer', 'formResponse', 'notification'].includes(kind);

/** Hashed, because an identity may be longer than a key. */
export const identityHash = ({ kind, value }: Identity): string =>
  `${kind}:${createHash('sha256').update(value).digest('hex')}`;

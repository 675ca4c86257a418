import { memberAddress } from '#lib/domain/access/member.ts';
import { type JsonObject, textOf } from '#lib/domain/input.ts';
import { channelName } from '#lib/domain/messaging/channel.ts';
import { normalized } from '#lib/domain/text/normal-form.ts';
import type { KindDeclaration } from '#lib/kinds/define-kind.ts';
import type { Kind } from '#lib/kinds/kinds.ts';

/** The unique key of a record: its slug, object key, `channelName` or `memberAddress`. Undefined if malformed. */
export function nameOf(kind: Kind, { unique }: KindDeclaration, record: JsonObject): string | undefined {
  const { type, identifier } = record;
  if (kind === 'member') return memberAddress(textOf(record['email']));
  if (kind !== 'channel') return unique === undefined ? undefined : normalized(textOf(record[unique])) || undefined;
  return typeof type === 'string' && typeof identifier === 'string' ? channelName({ type, identifier }) : undefined;
}

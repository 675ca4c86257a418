import * as z from 'zod/mini';
import type { Issue } from '../input.ts';
import { orNull, rule } from '../schema-rules.ts';
import { isHostName } from '../text/host-name.ts';
import { RecordId } from '../text/identifier.ts';
import { nameOrNull } from '../text/name.ts';

/**
 * Normalises a channel's identifier (lib/spec/decisions.md section 7). The result is a website's host in lower case and
 * punycode, without scheme, port, path, trailing dot and leading `www.`.
 * @returns undefined unless the host is `localhost` or has two labels
 */
export function normaliseHost(identifier: string): string | undefined {
  const address = identifier.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '');
  if (/\p{Cc}/u.test(address) || namesUser.test(address)) return undefined;
  const host = URL.parse(`http://${address}`)
    ?.hostname.replace(/\.$/, '')
    .replace(/^(?:www\.)+/, '');
  return host !== undefined && (host === 'localhost' || isHostName(host)) ? host : undefined;
}

/** User information before the host, such as `user@`. */
const namesUser = /^[/\\]*[^/\\?#]*@/;

/** Type and identifier together are a unique key, which `nameBytesMax` bounds. */
const identifierBytesMax = 900;

/**
 * A source of messages (lib/spec/interface.md section 2.6). The identifier of a website is its normalised host. The
 * agent of `agentId` answers there by default (lib/spec/additions.md section 3).
 */
export const Channel = z
  .strictObject({
    id: RecordId,
    type: z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/, 'Must be a word in lower case such as website.')),
    identifier: z.string().check(
      z.minLength(1, 'Must be a non-empty string.'),
      z.refine((text) => Buffer.byteLength(text) <= identifierBytesMax, {
        error: `Must take at most ${identifierBytesMax} bytes.`,
        params: { code: 'max_length' },
      }),
    ),
    name: nameOrNull(),
    agentId: orNull(RecordId),
  })
  .check(rule(invalidHost), z.overwrite(normalise));
export type Channel = z.infer<typeof Channel>;

/** The unique key of a channel: type and normalised identifier, or undefined for a malformed identifier. */
export function channelName({ type, identifier }: Pick<Channel, 'type' | 'identifier'>): string | undefined {
  const spelling = type === 'website' ? normaliseHost(identifier) : identifier;
  return spelling === undefined ? undefined : `${type}:${spelling}`;
}

function normalise<C extends Pick<Channel, 'type' | 'identifier'>>(channel: C): C {
  const host = channel.type === 'website' ? normaliseHost(channel.identifier) : undefined;
  return host === undefined ? channel : { ...channel, identifier: host };
}

function invalidHost(value: unknown): Issue[] {
  const { type, identifier } = (value ?? {}) as Record<string, unknown>;
  if (type !== 'website' || typeof identifier !== 'string' || normaliseHost(identifier) !== undefined) return [];
  return [{ path: 'identifier', code: 'format', message: 'Must be the host of a website such as menu.example.com.' }];
}

import * as z from 'zod/mini';
import { RecordId } from './identifier.ts';
import type { Issue } from './issue.ts';
import { rule } from './schema-issue.ts';

/**
 * A channel's identifier in its one spelling (lib/spec/decisions.md section 7): the host of a website in lower case and
 * punycode, without scheme, port, path, trailing dot and leading `www.`; none when there is no such host, which needs
 * two labels or must be `localhost`.
 */
export function normaliseHost(identifier: string): string | undefined {
  const place = identifier.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '');
  if (/\p{Cc}/u.test(place) || namesUser.test(place)) return undefined;
  const host = URL.parse(`http://${place}`)
    ?.hostname.replace(/\.$/, '')
    .replace(/^(?:www\.)+/, '');
  return host !== undefined && isHost(host) ? host : undefined;
}

/** An `@` before the path, whatever stands before it. */
const namesUser = /^[/\\]*[^/\\?#]*@/;

function isHost(host: string): boolean {
  const labels = host.split('.');
  const hasName = labels.length >= 2 && !/^\d+$/.test(labels.at(-1) ?? '');
  const isWellFormed = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return host === 'localhost' || (host.length <= 253 && hasName && isWellFormed);
}

/** With the type before it, it is the name that the channel is found by (`nameBytesMax`). */
const identifierBytesMax = 900;

/**
 * Where messages come from (lib/spec/interface.md section 2.6); a website is named by its host, in its one spelling.
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
  })
  .check(rule(strangeHost), z.overwrite(normalise));
export type Channel = z.infer<typeof Channel>;

/** What no two channels share: the type and the identifier in its one spelling; none when that is malformed. */
export function channelName({ type, identifier }: Pick<Channel, 'type' | 'identifier'>): string | undefined {
  const spelling = type === 'website' ? normaliseHost(identifier) : identifier;
  return spelling === undefined ? undefined : `${type}:${spelling}`;
}

function normalise<C extends Pick<Channel, 'type' | 'identifier'>>(channel: C): C {
  const host = channel.type === 'website' ? normaliseHost(channel.identifier) : undefined;
  return host === undefined ? channel : { ...channel, identifier: host };
}

function strangeHost(value: unknown): Issue[] {
  const { type, identifier } = (value ?? {}) as Record<string, unknown>;
  if (type !== 'website' || typeof identifier !== 'string' || normaliseHost(identifier) !== undefined) return [];
  return [{ path: 'identifier', code: 'format', message: 'Must be the host of a website such as menu.example.com.' }];
}

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ApiEvent, ApiResult } from './request-state.ts';

const bytesMin = 1_024;
/** Gzip at level 9 saves hardly more; Brotli at quality 4 is no better than gzip (README.md). */
const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
const compressors: Readonly<Record<Coding, (text: string) => Promise<Buffer>>> = {
  br: (text) =>
    brotlied(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        // 256 KB. The default of 4 MB compresses a list no better.
        [constants.BROTLI_PARAM_LGWIN]: 18,
      },
    }),
  gzip: (text) => gzipped(text, { level: 6 }),
};

/**
 * Compresses the JSON of an answer if the client prefers it. The ETag of a list becomes weak, because the bytes change
 * but not the content; If-None-Match compares weakly. The ETag of an entry stays strong: it names a stored version, for
 * If-Match.
 */
export async function compress({ headers, state }: ApiEvent, response: ApiResult): Promise<void> {
  const { headers: { vary, etag } = {}, body = '' } = response;
  response.headers = { ...response.headers, vary: [vary, 'Accept-Encoding'].filter(Boolean).join(', ') };
  const coding =
    !response.isBase64Encoded && Buffer.byteLength(body) >= bytesMin
      ? preferredCoding(headers['accept-encoding'], ['br', 'gzip'])
      : undefined;
  if (!coding) return;
  if (etag !== undefined && etag === state.contentTag) response.headers['etag'] = `W/${etag}`;
  response.headers['content-encoding'] = coding;
  response.body = (await compressors[coding](body)).toString('base64');
  response.isBase64Encoded = true;
}

export type Coding = 'br' | 'gzip';

/**
 * The coding that an Accept-Encoding header prefers (RFC 9110, 12.5.3). It must be acceptable, and preferred at least
 * as much as the uncoded text. Without the header, there is no coding.
 * @param offered the codings, best first, which decides between equal preferences
 */
export function preferredCoding<Offered extends Coding>(
  header: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  const weights = weightsOf(header);
  const preference = (coding: Coding): number =>
    weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined) ?? weights.get('*') ?? 0;
  const highest = Math.max(...offered.map(preference));
  if (highest === 0 || highest < (weights.get('identity') ?? 0)) return undefined;
  return offered.find((coding) => preference(coding) === highest);
}

/** What an Accept or Accept-Encoding header names, in small letters, with its weight (RFC 9110, 12.4.2). */
export const weightsOf = (header = ''): ReadonlyMap<string, number> => new Map(header.split(',').map(weightOf));

function weightOf(named: string): [name: string, weight: number] {
  const [name = '', ...parameters] = named.toLowerCase().split(';');
  const given = parameters.map((parameter) => parameter.trim()).find((parameter) => /^q\s*(?:=|$)/.test(parameter));
  const [, weight] = /^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(given ?? 'q=1') ?? [];
  // A malformed weight counts as 0.
  return [name.trim(), Math.min(1, Number(weight ?? 0))];
}

import type { SuccessDescription } from './description.ts';
import { unchanged } from './public-texts.ts';
import type { RefusalCode } from './refusals.ts';

export const contentTag = { description: 'Identifies the content, for `If-None-Match` or `If-Range`.' };
export const acceptRanges = { description: 'Always `bytes`.' };

/** The request headers of a download. @param noun `file` or `image` */
export const downloadHeaders = (noun: string) => ({
  Range: 'One range such as `bytes=0-1023`. Several ranges, or a malformed one, are ignored.',
  'If-None-Match': `The \`ETag\` of the ${noun} from an earlier response.`,
  'If-Range': `The \`ETag\` to which \`Range\` applies. If the ${noun} has another one, the response is the whole ${noun}.`,
});

/** The responses of a download besides 200. */
export const downloadAnswers = (
  noun: string,
  { headers, content }: Required<Pick<SuccessDescription, 'headers' | 'content'>>,
): Readonly<Record<206 | 304, SuccessDescription>> => ({
  206: {
    description: 'The requested range.',
    headers: { 'content-range': { description: 'The position of the bytes, and the total size.' }, ...headers },
    content,
  },
  ...unchanged(noun, { etag: contentTag }),
});

export const downloadRefusals: readonly RefusalCode[] = ['range_not_satisfiable'];

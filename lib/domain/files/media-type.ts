import { readParameters } from '../text/header-parameters.ts';
import { charsetPattern, essenceOf } from '../text/media-type-parts.ts';

const octetStream = 'application/octet-stream';
const wellFormed = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

export interface MediaType {
  /** In lower case, without parameters. */
  readonly type: string;
  /** The declared charset of a text, in lower case. */
  readonly charset?: string;
}

/**
 * The media type of a file (lib/spec/decisions.md section 6). It is the declared type if that is specific, otherwise
 * the type of the extension.
 * @param declared the declared type, if any
 * @param extension of the file name, without the dot
 */
export function mediaTypeOf(declared = '', extension: string): MediaType {
  const essence = essenceOf(declared);
  const isSpecific = essence !== octetStream && wellFormed.test(essence);
  if (!isSpecific) return { type: byExtension.get(extension.toLowerCase()) ?? octetStream };
  const charset = essence.startsWith('text/') ? readParameters(declared)?.parameters.get('charset') : undefined;
  return {
    type: sameTypes.get(essence) ?? essence,
    ...(charset !== undefined && charsetPattern.test(charset) && { charset: charset.toLowerCase() }),
  };
}

/** Names that some browsers and libraries send for registered types. */
const sameTypes = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
]);

/** The extensions that are also the second half of their type. */
const sameName = {
  application: 'json pdf rtf wasm xml zip',
  audio: 'aac flac ogg wav',
  image: 'avif bmp gif heic heif jpeg png tiff webp',
  text: 'csv css html',
  video: 'mp4 mpeg webm',
};

const byExtension = new Map([
  ...Object.entries(sameName).flatMap(([group, names]) =>
    names.split(' ').map((name) => [name, `${group}/${name}`] as const),
  ),
  ...Object.entries({
    '7z': 'application/x-7z-compressed',
    apk: 'application/vnd.android.package-archive',
    doc: 'application/msword',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    eml: 'message/rfc822',
    epub: 'application/epub+zip',
    gz: 'application/gzip',
    htm: 'text/html',
    ico: 'image/vnd.microsoft.icon',
    ics: 'text/calendar',
    jpg: 'image/jpeg',
    js: 'text/javascript',
    m4a: 'audio/mp4',
    m4v: 'video/mp4',
    md: 'text/markdown',
    mjs: 'text/javascript',
    mkv: 'video/matroska',
    mov: 'video/quicktime',
    mp3: 'audio/mpeg',
    odp: 'application/vnd.oasis.opendocument.presentation',
    ods: 'application/vnd.oasis.opendocument.spreadsheet',
    odt: 'application/vnd.oasis.opendocument.text',
    oga: 'audio/ogg',
    ogv: 'video/ogg',
    opus: 'audio/ogg',
    ppt: 'application/vnd.ms-powerpoint',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    rar: 'application/vnd.rar',
    svg: 'image/svg+xml',
    tar: 'application/x-tar',
    tif: 'image/tiff',
    txt: 'text/plain',
    vcf: 'text/vcard',
    weba: 'audio/webm',
    xhtml: 'application/xhtml+xml',
    xls: 'application/vnd.ms-excel',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
]);

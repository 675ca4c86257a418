import { cutToBytes } from '../text/code-points.ts';
import { normalized } from '../text/normal-form.ts';
import { withoutAround } from '../text/typed-text.ts';

const nameBytesMax = 150;
const extensionBytesMax = 20;

/** Control, bidi and zero-width characters, and lone surrogates. */
const unseen = /[\p{Cc}\p{Cs}\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const spacesOrRefused = /\s+|[?%*:|"<>]/g;

/**
 * The display name of a file, made from the name in the upload (lib/spec/decisions.md section 6). It has no path, no
 * invisible characters, none that a file system refuses, and at most 150 bytes.
 */
export function fileNameOf(sent: string): string {
  const last = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1);
  const name = trimEnds(normalized(last.replace(unseen, '')).replace(spacesOrRefused, '-'));
  return shortened(name) || 'file';
}

/** A name as part of an object key: `[A-Za-z0-9._-]` only (lib/spec/decisions.md section 6). */
export function asciiNameOf(name: string): string {
  const { stem, extension } = splitName(name);
  const asciiExtension = toAscii(extension);
  return `${toAscii(stem) || 'file'}${asciiExtension && `.${asciiExtension}`}`;
}

/** The extension of a name without its dot, or an empty string. */
export const extensionOf = (name: string): string => splitName(name).extension;

function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1) : '';
  if (extension === '' || Buffer.byteLength(extension) > extensionBytesMax) return { stem: name, extension: '' };
  return { stem: name.slice(0, dot), extension };
}

const toAscii = (text: string): string =>
  trimEnds(
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-'),
  );

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= nameBytesMax) return name;
  const { stem, extension } = splitName(name);
  const ending = extension && `.${extension}`;
  return trimEnds(cutToBytes(stem, nameBytesMax - Buffer.byteLength(ending))) + ending;
}

const trimEnds = (text: string): string => withoutAround(text, /[. -]/);

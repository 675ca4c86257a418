import { describe, expect, it } from '@jest/globals';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';

describe('the media type of a file', () => {
  it.each([
    ['image/png', 'png', 'image/png'],
    ['IMAGE/PNG', 'png', 'image/png'],
    ['image/jpg', 'png', 'image/jpeg'],
    ['Image/PJPEG; x=y', '', 'image/jpeg'],
    ['image/x-png', '', 'image/png'],
    [' text/plain ; charset=utf-8', 'md', 'text/plain'],
    ['text/html', 'png', 'text/html'],
    ['application/vnd.api+json', '', 'application/vnd.api+json'],
    ['application/octet-stream', 'pdf', 'application/pdf'],
    ['application/octet-stream', 'PDF', 'application/pdf'],
    ['application/octet-stream; x=y', 'xyz', 'application/octet-stream'],
    [undefined, 'jpg', 'image/jpeg'],
    [undefined, '', 'application/octet-stream'],
    ['', 'svg', 'image/svg+xml'],
    ['png', 'png', 'image/png'],
    ['image/', 'gif', 'image/gif'],
    ['/png', 'gif', 'image/gif'],
    ['image/png/x', 'gif', 'image/gif'],
    ['image/p ng', 'gif', 'image/gif'],
    ['image/png\r\nx: y', 'gif', 'image/gif'],
    ['*/*', 'txt', 'text/plain'],
    ['image/*', 'txt', 'text/plain'],
    [`image/${'x'.repeat(128)}`, 'txt', 'text/plain'],
    ['صورة/png', 'txt', 'text/plain'],
    ['image/png,text/html', 'gif', 'image/gif'],
    [undefined, 'constructor', 'application/octet-stream'],
    [undefined, '__proto__', 'application/octet-stream'],
  ])('declared as %j with the extension %j is %j', (declared, extension, type) => {
    expect(mediaTypeOf(declared, extension).type).toBe(type);
  });
});

describe('the charset of a text', () => {
  it.each([
    ['text/plain; charset=windows-1256', 'windows-1256'],
    ['Text/CSV;Charset="Shift_JIS";', 'shift_jis'],
    ['text/html;; charset = KOI8-U ; x=y', 'koi8-u'],
    ['text/plain; x="; charset=no"; charset=ISO_8859-6:1987', 'iso_8859-6:1987'],
    ['text/plain; charset=utf-16le; charset=utf-8', 'utf-16le'],
    ['text/plain', undefined],
    ['text/plain; charset=', undefined],
    ['text/plain; charset="utf-8', undefined],
    ['text/plain; charset="a b"', undefined],
    ['text/plain; charset="x\r\nset-cookie: y"', undefined],
    ['text/plain; charset="<script>"', undefined],
    [`text/plain; charset=${'x'.repeat(41)}`, undefined],
    ['text/plain; charset=نص', undefined],
    ['application/xml; charset=windows-1256', undefined],
    ['application/octet-stream; charset=windows-1256', undefined],
    ['nonsense; charset=windows-1256', undefined],
    [undefined, undefined],
  ])('declared as %j is %j', (declared, charset) => {
    expect(mediaTypeOf(declared, 'txt').charset).toBe(charset);
  });
});

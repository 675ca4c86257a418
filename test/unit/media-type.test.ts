import { describe, expect, it } from '@jest/globals';
import { mediaTypeOf } from '#lib/domain/files/media-type.ts';

describe('the media type of a file', () => {
  it.each([
    ['image/png', 'png', 'image/png'],
    ['IMAGE/PNG', 'png', 'image/png'],
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
    expect(mediaTypeOf(declared, extension)).toBe(type);
  });
});

import { describe, expect, it } from '@jest/globals';
import { functionUrlEvent, httpApiEvent, type RawRequest } from '#lib/local/event.ts';

const event = (request: Partial<RawRequest>) =>
  httpApiEvent({
    method: 'GET',
    url: '/',
    headers: [],
    body: Buffer.alloc(0),
    sourceIp: '192.0.2.1',
    requestId: 'request-1',
    routeKey: '$default',
    ...request,
  });

describe('path', () => {
  it.each([
    ['/a/b', '/a/b'],
    ['/a%20b/%D9%86', '/a b/ن'],
    ['/100%2525', '/100%25'],
    ['/a+b', '/a+b'],
    ['/a%2Fb', '/a/b'],
    ['/a%zz', '/%2Fa%25zz'],
    ['/a%ff', '/%2Fa%25ff'],
    ['/a//b/', '/a//b/'],
    ['http://host.example:80/a?b', '/a'],
    ['http://host.example', '/'],
    ['*', '*'],
    ['?a=1', '/'],
    ['/http://b/c', '/http://b/c'],
  ])('the path of %s is %s', (url, path) => {
    const { rawPath, requestContext } = event({ url });
    expect(rawPath).toBe(path);
    expect(requestContext.http.path).toBe(path);
  });

  it('ends at an escaped question mark, except in the context of the request', () => {
    const { rawPath, rawQueryString, requestContext } = event({ url: '/a%3Fb/c?d=%3F' });
    expect([rawPath, requestContext.http.path, rawQueryString]).toEqual(['/a', '/a?b/c', 'd=%3F']);
  });

  it('reads bare UTF-8 bytes, as curl sends them, like escaped ones', () => {
    const url = Buffer.from('/كبسة?search=كبسة').toString('latin1');
    const { rawPath, rawQueryString, queryStringParameters } = event({ url });
    expect(rawPath).toBe('/كبسة');
    expect(rawQueryString).toBe(`search=${encodeURIComponent('كبسة')}`);
    expect(queryStringParameters).toEqual({ search: 'كبسة' });
  });

  it('carries the parameters that the router found, and none when there are none', () => {
    expect(event({ pathParameters: { id: 'a' } }).pathParameters).toEqual({ id: 'a' });
    expect(event({ pathParameters: {} })).not.toHaveProperty('pathParameters');
  });
});

describe('query', () => {
  it('is unchanged beside its decoded parameters, which join repeats by commas', () => {
    const { rawQueryString, queryStringParameters } = event({ url: '/?a=1&b=x%2Cy&a=2&c&d=%zz&e=?' });
    expect(rawQueryString).toBe('a=1&b=x%2Cy&a=2&c&d=%zz&e=?');
    expect(queryStringParameters).toEqual({ a: '1,2', b: 'x,y', c: '', d: '%zz', e: '?' });
  });

  it.each(['/', '/?'])('is empty in %s', (url) => {
    expect(event({ url }).rawQueryString).toBe('');
    expect(event({ url })).not.toHaveProperty('queryStringParameters');
  });

  it('takes a parameter of any name', () => {
    const { queryStringParameters } = event({ url: '/?__proto__=1&constructor=2' });
    expect(Object.entries(queryStringParameters ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });
});

describe('headers', () => {
  it('have names in lower case, repeats joined by commas and cookies apart', () => {
    const { headers, cookies } = event({
      headers: [
        ['X-API-Key', 'one'],
        ['Cookie', 'a=1; b=2'],
        ['x-api-key', 'two'],
        ['cookie', 'c=3;'],
        ['__proto__', 'x'],
      ],
    });
    expect(headers).toMatchObject({ 'x-api-key': 'one,two' });
    expect(headers).not.toHaveProperty('cookie');
    expect(Object.keys(headers)).toContain('__proto__');
    expect(cookies).toEqual(['a=1', 'b=2', 'c=3']);
  });

  it('omit those of the connection, and contain the address of the caller', () => {
    const { headers } = event({
      headers: [
        ['Connection', 'keep-alive'],
        ['Transfer-Encoding', 'chunked'],
        ['X-Forwarded-For', '203.0.113.9'],
      ],
      body: Buffer.from('{}'),
    });
    expect(headers).toEqual({
      'content-length': '2',
      'x-forwarded-for': '203.0.113.9, 192.0.2.1',
      'x-forwarded-proto': 'http',
    });
  });

  it('have no cookies beside them when none came', () => {
    expect(event({})).not.toHaveProperty('cookies');
  });
});

describe('body', () => {
  const bodyOf = (body: string | Buffer, type?: string) => {
    const made = event({ body: Buffer.from(body), headers: type === undefined ? [] : [['Content-Type', type]] });
    return { body: made.body, isBase64Encoded: made.isBase64Encoded };
  };
  const base64 = (body: string | Buffer) => Buffer.from(body).toString('base64');

  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/problem+json', 'text/plain', undefined])(
    'is text in %s',
    (type) => {
      expect(bodyOf('{"name":"نور"}', type)).toEqual({ body: '{"name":"نور"}', isBase64Encoded: false });
    },
  );

  it.each([
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'image/png',
    'application/x-www-form-urlencoded',
  ])('is base64 in %s', (type) => {
    expect(bodyOf('abc', type)).toEqual({ body: base64('abc'), isBase64Encoded: true });
  });

  it('is base64 when it is not UTF-8, regardless of its type', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
    expect(bodyOf(bytes, 'application/json')).toEqual({ body: base64(bytes), isBase64Encoded: true });
  });

  it('keeps a byte order mark', () => {
    expect(bodyOf('\uFEFF{}', 'application/json').body).toBe('\uFEFF{}');
  });

  it('is absent when empty', () => {
    expect(event({})).not.toHaveProperty('body');
    expect(event({}).isBase64Encoded).toBe(false);
  });
});

describe('request context', () => {
  it('names the request, its route and its sender', () => {
    const { version, routeKey, requestContext } = event({
      method: 'PATCH',
      url: '/a?b=c',
      routeKey: 'PATCH /a',
      headers: [
        ['Host', 'api.example:3000'],
        ['User-Agent', 'curl/8'],
      ],
    });
    expect([version, routeKey]).toEqual(['2.0', 'PATCH /a']);
    expect(requestContext).toMatchObject({
      domainName: 'api.example:3000',
      domainPrefix: 'api',
      http: { method: 'PATCH', path: '/a', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'curl/8' },
      requestId: 'request-1',
      routeKey: 'PATCH /a',
      stage: '$default',
    });
    expect(requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
    expect(Math.abs(requestContext.timeEpoch - Date.now())).toBeLessThan(5_000);
  });
});

describe('the event of a function URL', () => {
  it.each(['/a%20b/%D9%86', '/a%2Fb', '/a%zz', '/100%2525', '/a//b/'])('keeps the path %s as it was sent', (url) => {
    const request = { method: 'GET', url: `${url}?a=%20`, headers: [], body: Buffer.alloc(0) };
    const { rawPath, rawQueryString, requestContext, ...rest } = functionUrlEvent({
      ...request,
      sourceIp: '192.0.2.1',
      requestId: 'request-1',
    });
    expect([rawPath, requestContext.http.path, rawQueryString]).toEqual([url, url, 'a=%20']);
    expect(rest).toMatchObject({ version: '2.0', routeKey: '$default' });
    expect(rest).not.toHaveProperty('pathParameters');
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { discoverIssuer } from '#lib/infra/issuer.ts';

let server: Server;
let base: string;
let documents: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  server = createServer((request, response) => {
    const document = documents[request.url ?? ''];
    response.statusCode = document === undefined ? 404 : 200;
    response.end(typeof document === 'string' ? document : JSON.stringify(document));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoints = {
    authorization_endpoint: 'https://login.example/a',
    token_endpoint: 'https://login.example/t',
    jwks_uri: 'https://login.example/k',
  };
  documents = {
    '/.well-known/openid-configuration': {
      issuer: base,
      ...endpoints,
      end_session_endpoint: 'https://login.example/e',
    },
    '/slash/.well-known/openid-configuration': { issuer: `${base}/slash/`, ...endpoints },
    '/other/.well-known/openid-configuration': { issuer: 'https://else.example', ...endpoints },
    '/few/.well-known/openid-configuration': { ...endpoints, issuer: `${base}/few`, token_endpoint: 7 },
    '/html/.well-known/openid-configuration': '<html>',
  };
});
afterAll(() => {
  server.close();
});

describe('discoverIssuer', () => {
  it('finds the addresses of an issuer', async () => {
    expect(await discoverIssuer(base)).toEqual({
      issuer: base,
      authorizeUrl: 'https://login.example/a',
      tokenUrl: 'https://login.example/t',
      jwksUrl: 'https://login.example/k',
      logoutUrl: 'https://login.example/e',
    });
  });

  it('takes an issuer with a slash at its end, and one without a page that signs out', async () => {
    expect(await discoverIssuer(`${base}/slash/`)).toMatchObject({ issuer: `${base}/slash/`, logoutUrl: undefined });
  });

  it.each([
    ['names another issuer', '/other', 'names the issuer "https://else.example".'],
    ['misses an address', '/few', 'has no token_endpoint.'],
    ['is no JSON', '/html', 'names the issuer undefined.'],
    ['is not there', '/none', 'answers 404.'],
  ])('says so when the document %s', async (_, path, reason) => {
    const address = `${base}${path}/.well-known/openid-configuration`;
    await expect(discoverIssuer(`${base}${path}`)).rejects.toThrow(`The setting issuer.url: ${address} ${reason}`);
  });

  it('reports an issuer that does not answer', async () => {
    await expect(discoverIssuer('http://127.0.0.1:9')).rejects.toThrow('does not answer');
  });
});

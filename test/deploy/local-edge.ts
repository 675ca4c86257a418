import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { originHeader } from '#lib/http/origin-header.ts';

interface Origin {
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Route {
  /** Undefined is the default behaviour. */
  readonly pattern: RegExp | undefined;
  readonly origin: Origin;
}

const refreshMilliseconds = 500;

/**
 * Replaces CloudFront, because the emulator does not forward its requests to an HTTP API. It reads the configuration of
 * the deployed distribution. It sends each request to the origin of its path, with the configured headers. After a
 * change, it alternates between the old and the new configuration, as the locations of CloudFront do for minutes.
 */
export class LocalEdge {
  readonly #server: Server;
  readonly #refresh: NodeJS.Timeout;
  /** The newest first, at most two. */
  #configurations: readonly (readonly Route[])[];
  #turn = 0;

  private constructor(emulatorUrl: string, distributionId: string, first: readonly Route[]) {
    this.#configurations = [first];
    this.#server = createServer((viewer, answer) => {
      pass(emulatorUrl, this.#nextConfiguration(), viewer, answer).catch(() => answer.destroy());
    });
    const refresh = async () => {
      const newest = routesOf(await readConfiguration(emulatorUrl, distributionId));
      const [known] = this.#configurations;
      if (known && JSON.stringify(newest) !== JSON.stringify(known)) this.#configurations = [newest, known];
    };
    this.#refresh = setInterval(() => refresh().catch(() => undefined), refreshMilliseconds);
  }

  static async start(emulatorUrl: string, distributionId: string): Promise<LocalEdge> {
    const first = routesOf(await readConfiguration(emulatorUrl, distributionId));
    const edge = new LocalEdge(emulatorUrl, distributionId, first);
    await once(edge.#server.listen(0, '127.0.0.1'), 'listening');
    return edge;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The host name of the origin, an HTTP API. */
  get apiHost(): string {
    return this.#configurations[0]?.at(-1)?.origin.host ?? '';
  }

  /** The value of the origin header in the newest configuration. */
  get sentValue(): string | undefined {
    return this.#configurations[0]?.at(-1)?.origin.headers[originHeader];
  }

  /**
   * Waits until requests have alternated between this number of configurations for a while.
   * @throws after five minutes
   */
  async sends(count: number): Promise<void> {
    const patience = AbortSignal.timeout(300_000);
    while (this.#configurations.length < count) {
      if (patience.aborted) throw new Error('The distribution was not changed.');
      await delay(refreshMilliseconds);
    }
    const until = this.#turn + 100;
    while (this.#turn < until) {
      if (patience.aborted) throw new Error('No requests come in.');
      await delay(refreshMilliseconds);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#refresh);
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #nextConfiguration(): readonly Route[] {
    return this.#configurations[this.#turn++ % this.#configurations.length] ?? [];
  }
}

/** The emulator accepts any signature, and reads only the name of the service from it. */
async function readConfiguration(emulatorUrl: string, distributionId: string): Promise<string> {
  const scope = 'test/20260101/us-east-1/cloudfront/aws4_request';
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`;
  const address = `${emulatorUrl}/2020-05-31/distribution/${distributionId}/config`;
  const answer = await fetch(address, { headers: { authorization } });
  if (!answer.ok) throw new Error(`The distribution cannot be read: ${answer.status}.`);
  return answer.text();
}

function routesOf(xml: string): Route[] {
  const origins = new Map(
    elements(xml, 'Origin').map((origin) => [
      element(origin, 'Id'),
      {
        host: element(origin, 'DomainName'),
        headers: Object.fromEntries(
          elements(origin, 'OriginCustomHeader').map((header) => [
            element(header, 'HeaderName'),
            element(header, 'HeaderValue'),
          ]),
        ),
      },
    ]),
  );
  const originOf = (behaviour: string): Origin => {
    const origin = origins.get(element(behaviour, 'TargetOriginId'));
    if (!origin) throw new Error('A behaviour names an origin that is not there.');
    return origin;
  };
  const ordered = elements(xml, 'CacheBehavior').map((behaviour) => ({
    pattern: patternOf(element(behaviour, 'PathPattern')),
    origin: originOf(behaviour),
  }));
  return [...ordered, { pattern: undefined, origin: originOf(element(xml, 'DefaultCacheBehavior')) }];
}

const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, content = '']) => content);

const element = (xml: string, name: string): string =>
  (elements(xml, name)[0] ?? '').replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => entities[entity] ?? '');

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const patternOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

async function pass(emulatorUrl: string, routes: readonly Route[], viewer: IncomingMessage, answer: ServerResponse) {
  const { method, url = '', headers } = viewer;
  const path = url.split('?', 1)[0] ?? '';
  const { origin } = routes.find(({ pattern }) => pattern?.test(path) ?? true) as Route;
  const { host, connection, ...passed } = headers;
  const forwarded = request(new URL(url, emulatorUrl), {
    method,
    headers: { ...passed, ...origin.headers, host: origin.host },
  });
  viewer.pipe(forwarded);
  const [response] = (await once(forwarded, 'response')) as [IncomingMessage];
  answer.writeHead(response.statusCode ?? 502, response.headers);
  await pipeline(response, answer);
}

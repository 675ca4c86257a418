import { Readable } from 'node:stream';
import { DynamoDBClient, type DynamoDBClientConfig, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { DynamoDbHttp } from '#lib/table/dynamodb/dynamodb-http.ts';

const { signal } = new AbortController();
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

/** The requests that a client would send. */
function recorder() {
  const requests: HttpRequest[] = [];
  const handle = async (request: HttpRequest) => {
    requests.push(request);
    return { response: new HttpResponse({ statusCode: 200, headers: {}, body: Readable.from([Buffer.from('{}')]) }) };
  };
  return {
    requests,
    requestHandler: { handle, destroy() {}, updateHttpClientConfig() {}, httpHandlerConfigs: () => ({}) },
  };
}

let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = { ...process.env };
  delete process.env['AWS_ENDPOINT_URL_DYNAMODB'];
});
afterEach(() => {
  process.env = before;
});

const scopeOf = ({ headers }: HttpRequest) => /Credential=([^,]+)/.exec(headers['authorization'] ?? '')?.[1];

/** The address and the signature scope of the service's requests and of the SDK's. */
async function destinationsOf(config: DynamoDBClientConfig) {
  const { requests, requestHandler } = recorder();
  const client = new DynamoDBClient({ region: 'eu-west-1', credentials, ...config, requestHandler });
  await client.send(new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'a' } } }));
  await new DynamoDbHttp(
    new DynamoDBClient({ region: 'eu-west-1', credentials, ...config, requestHandler }).config,
  ).send('GetItem', '{}', signal);
  return requests.map((request) => {
    const { protocol, hostname, port, path, method, headers } = request;
    return { protocol, hostname, port, path, method, host: headers['host'], scope: scopeOf(request) };
  });
}

describe('a request', () => {
  const accountId = '111122223333';
  it.each<[string, DynamoDBClientConfig]>([
    ['of a region', {}],
    ['of China', { region: 'cn-north-1' }],
    ['of FIPS', { useFipsEndpoint: true, region: 'us-east-1' }],
    ['of both protocols', { useDualstackEndpoint: true }],
    ['of an account', { credentials: { ...credentials, accountId } }],
    ['without its account', { credentials: { ...credentials, accountId }, accountIdEndpointMode: 'disabled' }],
    ['of the local region', { region: 'local' }],
    ['of an address with a port', { endpoint: 'http://127.0.0.1:8123' }],
    ['of an address with a path', { endpoint: 'https://proxy.example.com/dynamodb' }],
  ])('%s goes where that of the SDK goes', async (_, config) => {
    const [theirs, ours] = await destinationsOf(config);
    expect(ours).toEqual(theirs);
  });

  it('goes to the address of the environment', async () => {
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = 'http://127.0.0.1:8124';
    const [theirs, ours] = await destinationsOf({});
    expect(ours).toMatchObject({ hostname: '127.0.0.1', port: 8124 });
    expect(ours).toEqual(theirs);
  });

  it('has new credentials when the old ones expire, and the endpoint of their account', async () => {
    const { requests, requestHandler } = recorder();
    let made = 0;
    const provider = async () => {
      made++;
      const left = made === 1 ? 1_000 : 3_600_000;
      const accountId = `11112222333${made}`;
      return { ...credentials, accessKeyId: `KEY${made}`, accountId, expiration: new Date(Date.now() + left) };
    };
    const { config } = new DynamoDBClient({ region: 'eu-west-1', credentials: provider, requestHandler });
    const exchange = new DynamoDbHttp(config);
    for (let call = 0; call < 3; call++) await exchange.send('GetItem', '{}', signal);
    const last = requests.at(-1) as HttpRequest;
    expect(scopeOf(last)).toContain(`KEY${made}/`);
    expect(last.hostname).toBe(`11112222333${made}.ddb.eu-west-1.amazonaws.com`);
    expect(made).toBeLessThanOrEqual(3);
  });
});

import { type DynamoDBClientResolvedConfig, QueryCommand } from '@aws-sdk/client-dynamodb';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols';
import { getRetryAfterHint } from '@smithy/core/retry';
import { signedHeaders } from '#lib/secrets/signed-headers.ts';
import { type Attributes, unmarshal } from './operations.ts';

/** DynamoDB refuses a signature whose time is five minutes from its own. */
const clockSkewMax = 4 * 60_000;

interface Address {
  /** The credentials' account, which may be part of the endpoint. */
  readonly accountId: string | undefined;
  readonly url: URL;
  readonly region: string;
}

/** Sends single tries of calls to DynamoDB. Endpoint, credentials and HTTP handler are those of the SDK's client. */
export class DynamoDbHttp {
  readonly #config: DynamoDBClientResolvedConfig;
  #address: Address | undefined;

  constructor(config: DynamoDBClientResolvedConfig) {
    this.#config = config;
  }

  /**
   * @param body the request in DynamoDB's JSON
   * @throws errors with the name and members of the SDK's, for its retry strategy
   */
  async send(operation: string, body: string, signal: AbortSignal): Promise<object> {
    const credentials = await this.#config.credentials();
    const { url, region } = await this.#addressFor(credentials.accountId);
    const call = { url, service: 'dynamodb', region, target: `DynamoDB_20120810.${operation}`, body };
    const now = new Date(Date.now() + this.#config.systemClockOffset);
    const request = new HttpRequest({
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port && { port: Number(url.port) }),
      path: url.pathname,
      method: 'POST',
      headers: signedHeaders({ ...call, jsonVersion: '1.0' }, credentials, now),
      body,
    });
    const { response } = await this.#config.requestHandler.handle(request, { abortSignal: signal });
    const answer = await answerIn(response);
    if (response.statusCode < 300) return answer;
    throw serviceError(response, answer, await this.#correctClock(response, now));
  }

  /** The endpoint that the SDK would call, of the environment, a profile, the region or the account. */
  async #addressFor(accountId: string | undefined): Promise<Address> {
    if (this.#address && this.#address.accountId === accountId) return this.#address;
    const { url, properties } = await getEndpointFromInstructions({}, QueryCommand, this.#config);
    const [scheme] = (properties?.['authSchemes'] ?? []) as { readonly signingRegion?: string }[];
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    this.#address = { accountId, url, region: scheme?.signingRegion ?? (await this.#config.region()) };
    return this.#address;
  }

  /** @returns whether a wrong clock may be the reason of a refusal, so that a second try may succeed */
  async #correctClock({ headers }: HttpResponse, signed: Date): Promise<boolean> {
    const time = headers['age'] === undefined ? Date.parse(headers['date'] ?? '') : Number.NaN;
    const isSkewed = Math.abs(time - signed.getTime()) >= clockSkewMax;
    if (!isSkewed || (await this.#config.disableClockSkewCorrection())) return false;
    this.#config.systemClockOffset = time - Date.now();
    return true;
  }
}

/** @throws an error with the status of the reply, for the retry strategy */
async function answerIn({ body, statusCode: httpStatusCode }: HttpResponse): Promise<object> {
  try {
    return JSON.parse(await textOf(body));
  } catch (error) {
    throw Object.assign(error as Error, { $metadata: { httpStatusCode } });
  }
}

/** As `text` of node:stream/consumers, in a tenth of its CPU. @throws if the body is cut off */
function textOf(body: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  body.on('data', (chunk) => chunks.push(chunk));
  body.on('end', () => resolve(Buffer.concat(chunks).toString()));
  body.on('error', reject);
  return promise;
}

interface Refusal {
  readonly __type?: string;
  readonly message?: string;
  readonly Message?: string;
  readonly Item?: Attributes;
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Item?: Attributes }[];
}

/** The reason for which a write cancelled its transaction, or `None`. */
export interface CancellationReason {
  readonly Code?: string;
  readonly Item?: Record<string, unknown>;
}

/** DynamoDB has refused a call. It has the name and members of the SDK's error, and its items are plain. */
export interface ServiceError extends Error {
  readonly $metadata: {
    readonly httpStatusCode: number;
    readonly clockSkewCorrected?: boolean;
    /** The number of tries of the call. */
    readonly attempts?: number;
  };
  readonly retryAfter?: Date | undefined;
  /** The stored item, of a failed condition. */
  readonly Item?: Record<string, unknown>;
  readonly CancellationReasons?: readonly CancellationReason[];
}

const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Whether a transaction was cancelled by what passes: a lock, or throttling. */
export function isPassing({ CancellationReasons = [] }: Pick<ServiceError, 'CancellationReasons'>): boolean {
  const codes = CancellationReasons.flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]));
  return codes.length > 0 && codes.every((code) => passing.has(code));
}

function serviceError(response: HttpResponse, refusal: Refusal, clockSkewCorrected: boolean): ServiceError {
  const { __type = response.headers['x-amzn-errortype'] ?? 'Unknown', Item, CancellationReasons: reasons } = refusal;
  const name = __type.replace(/[,:].*/, '').replace(/.*#/, '');
  return Object.assign(new Error(refusal.message ?? refusal.Message ?? 'UnknownError'), {
    name,
    $metadata: { httpStatusCode: response.statusCode, clockSkewCorrected },
    // The SDK marks one error in this way.
    ...(name === 'ReplicatedWriteConflictException' && { $retryable: {} }),
    retryAfter: getRetryAfterHint(response),
    Item: Item && unmarshal(Item),
    CancellationReasons: reasons?.map((reason) => ({ ...reason, Item: reason.Item && unmarshal(reason.Item) })),
  });
}

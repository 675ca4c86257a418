import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { httpApiEvent } from '#lib/local/event.ts';
import { BundleProcess } from './bundle-process.ts';
import { type Answer, answerOfResult, type Call, functionOf, rawRequest } from './call.ts';
import { sharedBundles } from './shared-bundles.ts';

/**
 * One warm container of every function: a separate process with the deployed bundles. It handles calls concurrently, so
 * that a few processes do the work of many containers.
 */
export class Container {
  readonly #files: ReadonlyMap<string, string>;
  readonly #process: BundleProcess;
  #isFrozen = false;

  /** @param nodeOptions such as the heap limit of a deployed function */
  constructor(files: ReadonlyMap<string, string>, tableUrl: string, nodeOptions: readonly string[] = []) {
    this.#files = files;
    this.#process = new BundleProcess({ AWS_ENDPOINT_URL_DYNAMODB: tableUrl }, nodeOptions);
  }

  /** @param request such as `GET /api/public/menu/products?limit=5` @throws when the container is killed */
  async call(request: string, options: Call = {}): Promise<Answer> {
    const file = this.#files.get(functionOf(request)) ?? '';
    const result = await this.#process.ask({ file, event: httpApiEvent(rawRequest(request, options)) });
    if (result === undefined) throw new Error('The container was killed.');
    return answerOfResult(result as APIGatewayProxyStructuredResultV2);
  }

  /** The id of the process. */
  get pid(): number {
    return this.#process.pid;
  }

  /** Lets it stand still, as Lambda does between two calls or in the middle of one. */
  freeze(): void {
    this.#isFrozen = true;
    process.kill(this.pid, 'SIGSTOP');
  }

  thaw(): void {
    process.kill(this.pid, 'SIGCONT');
    this.#isFrozen = false;
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }
}

/** Containers on one table, with their bundles. */
export class Containers implements AsyncDisposable {
  readonly #files: ReadonlyMap<string, string>;
  readonly #tableUrl: string;
  readonly #all: Container[] = [];

  private constructor(files: ReadonlyMap<string, string>, tableUrl: string) {
    this.#files = files;
    this.#tableUrl = tableUrl;
  }

  /**
   * @param tableUrl the address of DynamoDB for the containers, such as a proxy.
   * @default the engine of the test run
   */
  static async start(count: number, tableUrl = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''): Promise<Containers> {
    const bundles = await sharedBundles();
    const containers = new Containers(new Map(bundles.map(({ name, file }) => [name, file])), tableUrl);
    for (let started = 0; started < count; started++) containers.open();
    return containers;
  }

  get all(): readonly Container[] {
    return this.#all;
  }

  /** Those that do not stand still. New requests go to them. */
  get awake(): readonly Container[] {
    return this.#all.filter(({ isFrozen }) => !isFrozen);
  }

  /** A container, by its number from 0. */
  at(number: number): Container {
    const container = this.#all[number % this.#all.length];
    if (!container) throw new Error('There are no containers.');
    return container;
  }

  /** Starts another, cold container. */
  open(nodeOptions: readonly string[] = []): Container {
    const container = new Container(this.#files, this.#tableUrl, nodeOptions);
    this.#all.push(container);
    return container;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map((container) => container.kill()));
  }
}

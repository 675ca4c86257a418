import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { type Answer, call } from './call.ts';
import { openOwnTable } from './own-table.ts';
import { WebhookReceiver } from './webhook-receiver.ts';
import { sweepWebhooks } from './webhook-work.ts';
import { openWorkspace, type Workspace } from './workspace.ts';
import type { Document } from './world.ts';

/** A workspace with a receiver on this machine. Each test begins without webhooks. */
export class WebhookRoom {
  workspace!: Workspace<'access'>;
  other!: Workspace<'access'>;
  receiver!: WebhookReceiver;
  #made: string[] = [];

  /** Opens it for the tests of a file, in a table of their own. */
  static forTests(): WebhookRoom {
    const room = new WebhookRoom();
    beforeAll(async () => {
      await openOwnTable();
      room.workspace = await openWorkspace('access');
      room.other = await openWorkspace('access');
      room.receiver = await WebhookReceiver.start();
    });
    afterAll(() => room.receiver.stop());
    beforeEach(() => room.receiver.reset());
    afterEach(async () => {
      for (const id of room.#made) await room.manage(`DELETE webhooks/${id}`);
      room.#made = [];
      await sweepWebhooks();
    });
    return room;
  }

  manage = (request: string, body?: object, key: string = this.workspace.keys.admin): Promise<Answer> =>
    call(request.replace(' ', ' /api/v1/manage/'), { key, ...(body && { body }) });

  async makeWebhook(more: object = {}): Promise<Document> {
    const types = ['member.*', 'menu_product.*'];
    const { status, json } = await this.manage('POST webhooks', {
      url: this.receiver.url,
      types,
      apiKeyId: 'key_admin',
      ...more,
    });
    expect([status, json]).toEqual([201, expect.anything()]);
    this.#made.push(json.id);
    return json;
  }

  /** Makes an event. */
  rename = (name: string): Promise<Answer> => this.manage('PATCH members/mem_1', { name });

  deliveriesOf = async ({ id }: Document, query = ''): Promise<Document[]> =>
    (await this.manage(`GET webhooks/${id}/deliveries?${query}`)).json.data;

  /** The secret of a key that may manage webhooks, and nothing else. */
  async weakKey(): Promise<string> {
    const permissions = ['webhooks:webhook:read', 'webhooks:webhook:manage'];
    return (await this.manage('POST api-keys', { name: 'Weak', permissions })).json.secret;
  }
}

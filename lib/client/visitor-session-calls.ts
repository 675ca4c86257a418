import type { Transport } from './transport.ts';
import type { VisitorSession, VisitorSessionInput } from './types.ts';

const path = '/api/v1/connect/visitor-sessions';

/** Sessions of a website's visitors. The browser gets the session's token; the API key stays on the server. */
export class VisitorSessionCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Without `customer.externalId` the visitor is a new anonymous customer, so no call is repeated after 503. */
  open = (session: VisitorSessionInput): Promise<VisitorSession> =>
    this.#post(session, session.customer?.externalId != null);

  /** A new token for the same conversation, until 30 days after the token's end. Another token is 404. */
  renew = (token: string): Promise<VisitorSession> => this.#post({ renew: token }, true);

  async #post(json: object, isRepeatable: boolean): Promise<VisitorSession> {
    const response = await this.#transport.send({ method: 'POST', path, json, isRepeatable });
    return (await response.json()) as VisitorSession;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { logWork } from '#lib/http/log.ts';
import { Mailer } from '#lib/mail/mailer.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import type { Key } from '#lib/table/schema.ts';
import { Table } from '#lib/table/table.ts';
import { attemptMillisecondsMax, deliverJob } from './deliver-job.ts';

/** The number of mails sent concurrently. */
export const concurrentMailsMax = 8;

/** The pause after a refusal, because a throttled mail service refuses faster than it sends. */
const refusalPauseMilliseconds = 500;

const tableName = process.env['TABLE_NAME'] ?? '';
const mailFrom = process.env['MAIL_FROM'] ?? '';
/** The local run sets it after it listens. */
const assetBaseUrl = (): string => process.env['ASSET_BASE_URL'] ?? '';

/** Delivers mail jobs with the table and sender of the environment, each independently. */
export class MailSender {
  readonly #client = tableClient();
  readonly #mailer = new Mailer(mailFrom);

  table(signal: AbortSignal): Table {
    return new Table({ client: this.#client, name: tableName, signal });
  }

  /** @returns whether the job needs no further work now; otherwise the reason is logged */
  async deliver(key: Key): Promise<boolean> {
    const signal = AbortSignal.timeout(attemptMillisecondsMax);
    try {
      const outcome = await deliverJob(
        { table: this.table(signal), mailer: this.#mailer, signal, assetBaseUrl: assetBaseUrl() },
        key,
      );
      if (outcome === 'put off') await pause(refusalPauseMilliseconds);
      return true;
    } catch (error) {
      const { name, message } = error as Error;
      logWork('warn', 'A mail job was left for later.', { key: key.sk, reason: `${name}: ${message}` });
      return false;
    }
  }
}

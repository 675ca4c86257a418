import { setTimeout as pause } from 'node:timers/promises';
import { logWork } from '#lib/http/log.ts';
import { Mailer } from '#lib/mail/mailer.ts';
import { tableClient } from '#lib/table/client.ts';
import type { Key } from '#lib/table/schema.ts';
import { Table } from '#lib/table/table.ts';
import { attemptMillisecondsMax, deliverJob } from './deliver-job.ts';

/** As many mails travel at the same time. */
export const lanesMax = 8;

/** A mail service that takes so many a second, or none at the moment, is not to be asked as fast as it refuses. */
const breatherMilliseconds = 500;

const tableName = process.env['TABLE_NAME'] ?? '';
const mailFrom = process.env['MAIL_FROM'] ?? '';

/** Delivers mail jobs with what the environment names, one by one and each by itself. */
export class PostOffice {
  readonly #client = tableClient();
  readonly #mailer = new Mailer(mailFrom);

  table(signal: AbortSignal): Table {
    return new Table({ client: this.#client, name: tableName, signal });
  }

  /** @returns whether nothing is left to be done about the job now; why not is in the log */
  async deliver(key: Key): Promise<boolean> {
    const signal = AbortSignal.timeout(attemptMillisecondsMax);
    try {
      const outcome = await deliverJob({ table: this.table(signal), mailer: this.#mailer, signal }, key);
      if (outcome === 'put off') await pause(breatherMilliseconds);
      return true;
    } catch (error) {
      const { name, message } = error as Error;
      logWork('warn', 'A mail job was left for later.', { key: key.sk, reason: `${name}: ${message}` });
      return false;
    }
  }
}

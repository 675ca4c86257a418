import { createHash } from 'node:crypto';
import type { FormResponse } from '#lib/domain/form-response.ts';
import type { Notification } from '#lib/domain/notification.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { editedNow } from './edited-at.ts';
import { ConditionFailed } from './errors.ts';
import { keys } from './keys.ts';
import { newMailJob } from './mail-jobs.ts';
import type { Item } from './schema.ts';
import type { Table, TransactItem, Writes } from './table.ts';

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** What an Idempotency-Key of a form stands for, for 24 hours (lib/spec/decisions.md section 5). */
export interface Submission {
  readonly responseId: string;
  /** Tells whether a body is the same one, as JSON values. */
  readonly bodyHash: string;
}

/** All that a submit makes. */
export interface AcceptedSubmit {
  readonly response: FormResponse;
  readonly notification: Notification;
  /** One message is sent to each. */
  readonly recipients: readonly string[];
  /** Absent when the caller has sent no Idempotency-Key. */
  readonly idempotency?: { readonly key: string; readonly bodyHash: string } | undefined;
}

/** The responses to the forms of one workspace, and what makes each of them be stored once. Access patterns W2, F1, F2. */
export class FormResponses {
  readonly #table: Table;
  readonly #workspaceId: string;

  constructor(table: Table, { workspaceId }: WorkspaceScope) {
    this.#table = table;
    this.#workspaceId = workspaceId;
  }

  /** The responses to a form in the order of their ids; those that a submit has stored are in order of time. */
  async *all(formId: string): AsyncGenerator<FormResponse> {
    for await (const item of this.#table.query({ pk: keys.records(this.#workspaceId, 'formResponse') })) {
      const response = JSON.parse(String(item['record'])) as FormResponse;
      if (response.formId === formId) yield response;
    }
  }

  /** @returns nothing when the key is new, or was used more than 24 hours ago */
  async findSubmission(formId: string, idempotencyKey: string, now: Date): Promise<Submission | undefined> {
    const item = await this.#table.get(this.#submissionKey(formId, idempotencyKey));
    return item && Number(item['ttl']) > seconds(now) ? submissionOf(item) : undefined;
  }

  /**
   * Makes the response, its notification, its mail jobs and the meaning of its Idempotency-Key durable together.
   * @returns what the Idempotency-Key stands for: this response, or that of an earlier submit, and then nothing is stored
   * @throws Contended when another submit with the same Idempotency-Key is being stored all the time
   */
  async store(accepted: AcceptedSubmit): Promise<Submission> {
    const { response, idempotency } = accepted;
    const own: Submission = { responseId: response.id, bodyHash: idempotency?.bodyHash ?? '' };
    try {
      await this.#table.transact(this.#writesOf(accepted));
      return own;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Nobody else makes the id of this response: when the first write is there already, its reply was lost.
      return error.write === 'idempotency' && error.item ? submissionOf(error.item) : own;
    }
  }

  #writesOf({ response, notification, recipients, idempotency }: AcceptedSubmit): Writes {
    const { id: responseId, formId, createdAt } = response;
    const jobs = recipients.map((recipient) =>
      newMailJob({ workspaceId: this.#workspaceId, formId, responseId, recipient, createdAt }),
    );
    const edited = editedNow();
    const writes = {
      response: this.#put(
        { ...this.#recordKey('formResponse', responseId), record: JSON.stringify(response), ...edited },
        isAbsent,
      ),
      notification: this.#put({
        ...this.#recordKey('notification', notification.id),
        record: JSON.stringify(notification),
        ...edited,
      }),
      mailJobs: jobs.map((job) => this.#put(job)),
    };
    if (!idempotency) return writes;
    const now = new Date(createdAt);
    const submission = {
      ...this.#submissionKey(formId, idempotency.key),
      responseId,
      bodyHash: idempotency.bodyHash,
      ttl: seconds(new Date(now.getTime() + dayMilliseconds)),
    };
    return { idempotency: this.#put(submission, isUnused(now)), ...writes };
  }

  #put = (item: object, condition: object = {}): TransactItem => ({
    Put: { TableName: this.#table.name, Item: { ...item }, ...condition },
  });

  #recordKey = (kind: 'formResponse' | 'notification', id: string) => keys.record(this.#workspaceId, kind, id);

  #submissionKey = (formId: string, idempotencyKey: string) =>
    keys.submission(this.#workspaceId, formId, createHash('sha256').update(idempotencyKey).digest('hex'));
}

const submissionOf = (item: Item | Record<string, unknown>): Submission => ({
  responseId: String(item['responseId']),
  bodyHash: String(item['bodyHash']),
});

const isAbsent = { ConditionExpression: 'attribute_not_exists(pk)' };

/** The engine may delete an item days after its time. */
const isUnused = (now: Date) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':now': seconds(now) },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
});

const seconds = (time: Date): number => Math.ceil(time.getTime() / 1_000);

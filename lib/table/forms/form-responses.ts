import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import type { Contended } from '../errors.ts';
import { keys } from '../keys.ts';
import { newMailJob } from '../mail-jobs.ts';
import { referenceItems } from '../references.ts';
import { keptRecordOf } from '../retention.ts';
import { newItem } from '../stored-item.ts';
import { Repository, type TransactItem, type Writes } from '../table.ts';
import { noteReference } from '../writer/reference-slots.ts';
import { tryChange } from '../writer/repeat-write.ts';

/** The records of a submit. */
export interface AcceptedSubmit {
  readonly response: FormResponse;
  readonly notification: Notification;
  /** The addresses that get one message each. */
  readonly recipients: readonly string[];
  readonly event: TransactItem;
  /** The write that records the Idempotency-Key, if the caller sent one. */
  readonly idempotencyWrite?: TransactItem | undefined;
}

/** The responses to the forms of one workspace. Access patterns W2, D1. */
export class FormResponses extends Repository {
  /** The responses to a form in the order of their ids. Ids that a submit has made are in order of time. */
  async *all(formId: string): AsyncGenerator<FormResponse> {
    for await (const item of this.table.query({ pk: keys.records(this.workspaceId, 'formResponse') })) {
      const response = keptRecordOf<FormResponse>('formResponse', item);
      if (response?.formId === formId) yield response;
    }
  }

  /**
   * Tries once to store the response, its notification, its mail jobs and the record of its idempotency key. They are
   * one transaction.
   * @returns the conflict with another transaction; `changed` if the form was removed since it was read; undefined if the
   * response is stored
   * @throws ConditionFailed if the idempotency key is used
   */
  tryStore = (accepted: AcceptedSubmit): Promise<Contended | 'changed' | undefined> =>
    tryChange(this.table, this.#writesOf(accepted), ['form']);

  #writesOf({ response, notification, recipients, event, idempotencyWrite }: AcceptedSubmit): Writes {
    const { id: responseId, formId, createdAt } = response;
    const jobs = recipients.map((recipient) =>
      newMailJob({ kind: 'form_response', workspaceId: this.workspaceId, formId, responseId, recipient, createdAt }),
    );
    return {
      idempotency: idempotencyWrite,
      form: noteReference(this.workspaceId, { kind: 'form', id: formId }),
      response: this.#put(newItem(this.workspaceId, 'formResponse', response)),
      references: referenceItems(this.workspaceId, 'formResponse', response).map((item) => this.#put(item)),
      notification: this.#put(newItem(this.workspaceId, 'notification', notification)),
      event,
      mailJobs: jobs.map((job) => this.#put(job)),
    };
  }

  #put = (item: object): TransactItem => ({ Put: { Item: { ...item } } });
}

import type { JsonObject } from '#lib/domain/json-object.ts';
import type { ClaimWithAnswer } from '#lib/idempotency/run-idempotent.ts';
import type { RecordAddress } from './managed-record.ts';

/** A write of one record, from a single request or a batch. */
export interface RecordWrite extends RecordAddress {
  readonly verb: 'create' | 'replace' | 'update' | 'delete';
  /** When the id was generated for this write. No record has such an id. */
  readonly newIdAt?: Date | undefined;
  /** True if other writes of the kind run in parallel. */
  readonly isInBulk?: boolean;
  /** The record or the merge patch; none to delete. */
  readonly body?: JsonObject;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly claimWithAnswer?: ClaimWithAnswer<WriteAnswer>;
}

/** The answer to a write. That to a deletion has only a status. */
export interface WriteAnswer {
  readonly status: 200 | 201 | 204;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string;
}

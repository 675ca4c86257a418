import type { HttpResponse } from '@smithy/core/protocols';
import { getRetryAfterHint } from '@smithy/core/retry';
import { type Attributes, unmarshal } from './attribute-values.ts';

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

export function serviceError(response: HttpResponse, refusal: Refusal, clockSkewCorrected: boolean): ServiceError {
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

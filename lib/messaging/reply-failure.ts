import { isModelError, type ModelErrorCode } from '#lib/ai/engine.ts';
import { ConditionFailed, Unavailable } from '#lib/table/errors.ts';
import { type EndEvent, errorEvent } from './reply-event.ts';

/** Why a reply failed. Stored with the run for concurrent requests. */
export type ReplyFailure =
  | ModelErrorCode
  | 'deadline'
  | 'used_up'
  | 'share_used_up'
  | 'busy'
  | 'lost'
  | 'gone'
  | 'with_team'
  | 'data'
  | 'internal';

/** Also the answer for another customer's conversation, so that its existence is not revealed. */
export const conversationNotFound = 'Conversation not found.';

/** The only event of a stream while a member has the conversation (lib/spec/additions.md section 3, "Hand-over"). */
export const handledByTeam = 'This conversation is handled by a member of the team.';

const general = 'The reply could not be generated.';

/** The only messages of a failure. Upstream error texts are never shown (lib/spec/decisions.md section 7). */
const sentences: Record<ReplyFailure, string> = {
  throttled: 'The AI model is busy, try again shortly.',
  timeout: 'The AI model did not answer in time.',
  auth: 'The AI model is not available.',
  model_not_found: 'The AI model is not available.',
  invalid: 'The AI model rejected the request.',
  unavailable: general,
  aborted: general,
  deadline: 'The reply took too long.',
  used_up: 'This workspace has used up its AI replies for today.',
  share_used_up: 'This conversation has used up its AI replies for today.',
  busy: 'A reply to this message is already being generated.',
  lost: general,
  gone: conversationNotFound,
  with_team: handledByTeam,
  data: 'The service cannot answer at the moment; try again shortly.',
  internal: general,
};

/** A failure of a reply that the model did not cause. */
export class ReplyFailed extends Error {
  override readonly name = 'ReplyFailed';
  readonly failure: ReplyFailure;

  constructor(failure: ReplyFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

export function failureOf(error: unknown): ReplyFailure {
  if (error instanceof ReplyFailed) return error.failure;
  if (isModelError(error)) return error.code;
  if (error instanceof Unavailable) return 'data';
  if (!(error instanceof ConditionFailed)) return 'internal';
  return error.write === 'conversation' ? 'gone' : 'lost';
}

/** @param failure as stored in the run */
export const failureEvent = (failure: string | undefined): EndEvent =>
  errorEvent(sentences[failure as ReplyFailure] ?? general);

import type { Issue } from '#lib/domain/input.ts';
import { HttpError, notFound } from '#lib/http/errors.ts';

export const conversationNotFound = () => notFound('Conversation');

/** One text for every token that cannot be renewed. */
export const visitorSessionNotFound = () => notFound('Visitor session');

/** 403: the request names another customer than the conversation's (lib/spec/decisions.md section 7). */
export const otherCustomer = () =>
  new HttpError(403, 'permission_denied', 'The conversation belongs to another customer.');

export const idNotFound = (path: string, noun: string): Issue => ({
  path,
  code: 'not_found',
  message: `${path}: Must be the id of ${noun} of the workspace.`,
});

export const languageUnknown = (languages: readonly string[]): Issue => ({
  path: 'language',
  code: 'not_allowed',
  message: `language: Must be null or one of the workspace's languages: ${languages.join(', ')}.`,
});

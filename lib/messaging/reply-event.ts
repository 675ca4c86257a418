/** An event of a reply stream. Exactly one `done` or `error` ends it (lib/spec/interface.md section 6). */
export type ReplyEvent =
  /** `text` is the reply so far (lib/spec/decisions.md section 7). */
  { readonly type: 'delta'; readonly delta: string; readonly text: string } | EndEvent;

export type EndEvent =
  | { readonly type: 'done'; readonly messageId: string; readonly text: string }
  | { readonly type: 'error'; readonly error: string };

export const errorEvent = (error: string): EndEvent => ({ type: 'error', error });

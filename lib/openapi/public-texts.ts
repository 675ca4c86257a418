/** Headers of answers that are the same for all callers. */
export const publicHeaders = {
  etag: { description: 'Names this content; send it back as `If-None-Match`.' },
  'cache-control': { description: 'Everybody may keep it, for five minutes.' },
};

export const unchangedPublic = {
  304: { description: 'The caller has it already; there is no body.', headers: publicHeaders },
};

/** A language such as `en` or `en-GB` (lib/spec/decisions.md section 2). */
export const languagePattern = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

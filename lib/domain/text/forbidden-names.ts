/** Names that could reach an object's prototype; they are refused everywhere (lib/spec/decisions.md section 5). */
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

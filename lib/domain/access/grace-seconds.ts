import * as z from 'zod/mini';

/** The maximum grace period of a rotated key's former secret: seven days (lib/spec/additions.md section 2, keys). */
export const graceSecondsMax = 604_800;

const graceRule = `Must be from 0 to ${graceSecondsMax}, which are seven days.`;

/** How long a former secret stays valid. */
const GraceSeconds = z._default(
  z.int('Must be a whole number.').check(z.minimum(0, graceRule), z.maximum(graceSecondsMax, graceRule)),
  0,
);

/** The body of a rotation, which may be absent. */
export const Rotation = z._default(z.strictObject({ graceSeconds: GraceSeconds }), { graceSeconds: 0 });

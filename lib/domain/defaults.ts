import * as z from 'zod/mini';

/** The defaults of absent properties: null, or an empty list (lib/spec/workspace-document.md section 3). */
export const orNull = <S extends z.ZodMiniType>(schema: S) => z._default(z.nullable(schema), null as never);
export const orFalse = () => z._default(z.boolean(), false);
export const orTrue = () => z._default(z.boolean(), true);
export const listOf = <S extends z.ZodMiniType>(item: S, ...checks: z.core.$ZodCheck<z.output<S>[]>[]) =>
  z._default(z.array(item).check(...checks), [] as never);

import type * as z from 'zod/mini';
import { inputOf, viewOf, wordsOf } from '#lib/kinds/kind-endpoints.ts';
import { kindOf, type ManagedKind, managed, managedKinds } from '#lib/kinds/kinds.ts';

/** `MenuProductRecord` */
const componentName = (kind: ManagedKind, role: 'Record' | 'Input'): string =>
  `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${role}`;

/** The schemas of records by their names in the API description, each with its words. */
export const recordComponents: ReadonlyMap<string, { readonly schema: z.ZodMiniType; readonly words: string }> =
  new Map(
    managedKinds
      .filter((kind) => kind !== 'workspace')
      .flatMap((kind) => {
        const { record, input } = wordsOf(managed(kind));
        const schema = inputOf(kindOf(kind));
        return [
          [componentName(kind, 'Record'), { schema: viewOf(kindOf(kind)), words: record }] as const,
          ...(schema ? [[componentName(kind, 'Input'), { schema, words: input }] as const] : []),
        ];
      }),
  );

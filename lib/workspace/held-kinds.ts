import { type Kind, kindOf, kinds } from '#lib/kinds/kinds.ts';

/** An import always reads and writes the version of the databases and languages. */
const alwaysHeld: readonly Kind[] = ['workspace', 'cmsModel'];

/** The kinds whose records must exist for a record of this kind. */
const requiredKinds = (kind: Kind): readonly string[] =>
  kind === 'cmsEntry'
    ? ['cmsModel']
    : (kindOf(kind).references ?? []).flatMap(({ to, mayBeAbsent }) =>
        mayBeAbsent || typeof to !== 'string' ? [] : to,
      );

/**
 * The kinds whose writes wait for the end of an import (lib/spec/additions.md section 2, large changes): those of the
 * document, those that its records require, and those that require its records.
 */
export const heldKinds = (documentKinds: readonly Kind[]): Kind[] =>
  kinds.filter(
    (kind) =>
      alwaysHeld.includes(kind) ||
      documentKinds.includes(kind) ||
      documentKinds.some((other) => requiredKinds(kind).includes(other) || requiredKinds(other).includes(kind)),
  );

import * as z from 'zod/mini';
import type { TextForm } from './text-forms.ts';

/** The checks of a string of this form; it is stored in stored form. */
export const inForm = ({ read, message }: TextForm) =>
  [
    z.refine<string>((text) => read(text) !== undefined, message),
    z.overwrite<string>((text) => read(text) ?? text),
  ] as const;

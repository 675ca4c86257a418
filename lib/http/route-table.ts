import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Route } from './router.ts';

/** The route table as the variable `ROUTES` has it: compressed, because Lambda takes 4 KB of environment altogether. */
export const encodeRoutes = (routes: readonly Route[]): string =>
  deflateRawSync(JSON.stringify(routes)).toString('base64');

/** @param text the variable `ROUTES`; absent or empty where no function has been told of routes */
export const decodeRoutes = (text: string | undefined): readonly Route[] =>
  text === undefined || text === '' ? [] : JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString());

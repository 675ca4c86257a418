import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Route } from './router.ts';

/** The route table for the variable `ROUTES`: compressed, because Lambda allows 4 KB of environment in total. */
export const encodeRoutes = (routes: readonly Route[]): string =>
  deflateRawSync(JSON.stringify(routes)).toString('base64');

/** @param text the variable `ROUTES`; absent or empty if no routes are set */
export const decodeRoutes = (text: string | undefined): readonly Route[] =>
  text === undefined || text === '' ? [] : JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString());

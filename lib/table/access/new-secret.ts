import { generatedSecret } from '#lib/domain/access/key-secret.ts';
import { visitorTokenOf } from '#lib/domain/access/visitor-token.ts';
import { randomText } from './random-text.ts';

/** A new API key's secret (lib/spec/decisions.md section 2). */
export const newSecret = (): string => generatedSecret(randomText());

/** A new visitor's token (lib/spec/additions.md section 4). */
export const newVisitorToken = (): string => visitorTokenOf(randomText());

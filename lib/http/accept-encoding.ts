/** How an answer can be compressed. */
export type Coding = 'br' | 'gzip';

/**
 * The coding that an Accept-Encoding header prefers (RFC 9110, 12.5.3). It must be acceptable, and preferred at least
 * as much as the uncoded text. Without the header, there is no coding.
 * @param offered the codings, best first, which decides between equal preferences
 */
export function preferredCoding<Offered extends Coding>(
  header: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  const weights = new Map((header ?? '').split(',').map(weightOf));
  const preference = (coding: Coding): number =>
    weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined) ?? weights.get('*') ?? 0;
  const highest = Math.max(...offered.map(preference));
  if (highest === 0 || highest < (weights.get('identity') ?? 0)) return undefined;
  return offered.find((coding) => preference(coding) === highest);
}

function weightOf(coding: string): [name: string, weight: number] {
  const [name = '', ...parameters] = coding.toLowerCase().split(';');
  const [, weight] =
    parameters.map((parameter) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/.exec(parameter)).find(Boolean) ?? [];
  // A malformed weight counts as 0.
  return [name.trim(), weight === undefined ? Number(parameters.length === 0) : Math.min(1, Number(weight))];
}

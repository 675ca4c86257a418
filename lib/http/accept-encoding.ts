/** How an answer can be compressed. */
export type Coding = 'br' | 'gzip';

/**
 * The coding that an Accept-Encoding header prefers (RFC 9110, 12.5.3): it is acceptable, and no less than the text as
 * it is. Without the header the text goes out as it is.
 * @param offered the best first, which is taken where the client wants several alike
 */
export function preferredCoding<Offered extends Coding>(
  header: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  const weights = new Map((header ?? '').split(',').map(weightOf));
  const wanted = (coding: Coding): number =>
    weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined) ?? weights.get('*') ?? 0;
  const most = Math.max(...offered.map(wanted));
  if (most === 0 || most < (weights.get('identity') ?? 0)) return undefined;
  return offered.find((coding) => wanted(coding) === most);
}

function weightOf(coding: string): [name: string, weight: number] {
  const [name = '', ...parameters] = coding.toLowerCase().split(';');
  const [, weight] =
    parameters.map((parameter) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/.exec(parameter)).find(Boolean) ?? [];
  // A malformed weight counts as 0.
  return [name.trim(), weight === undefined ? Number(parameters.length === 0) : Math.min(1, Number(weight))];
}

/**
 * Whether an Accept-Encoding header prefers gzip to the plain text (RFC 9110, 12.5.3). Without the header the answer is
 * not compressed.
 */
export function prefersGzip(header: string | undefined): boolean {
  const weights = new Map((header ?? '').split(',').map(weightOf));
  const any = weights.get('*');
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? any ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

function weightOf(coding: string): [name: string, weight: number] {
  const [name = '', ...parameters] = coding.toLowerCase().split(';');
  const [, weight] =
    parameters.map((parameter) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/.exec(parameter)).find(Boolean) ?? [];
  // A malformed weight counts as 0.
  return [name.trim(), weight === undefined ? Number(parameters.length === 0) : Math.min(1, Number(weight))];
}

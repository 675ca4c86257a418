/**
 * Whether gzip is what an Accept-Encoding header prefers (RFC 9110, 12.5.3): it is acceptable, and no less than the
 * text as it is. Without the header the text goes out as it is.
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
  // A weight that is none makes the coding unwanted.
  return [name.trim(), weight === undefined ? Number(parameters.length === 0) : Math.min(1, Number(weight))];
}

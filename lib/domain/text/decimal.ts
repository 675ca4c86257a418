/** A number as digits and a decimal exponent: 1.25 is 125 and -2. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Whether `value` is `start` plus a multiple of `step`, in decimal arithmetic: 0.3 is 3 steps of 0.1. */
export function isOnStep(value: number, step: number, start: number): boolean {
  const decimals = [value, step, start].map(decimalOf);
  const exponent = Math.min(...decimals.map((decimal) => decimal.exponent));
  const [scaledValue = 0n, scaledStep = 1n, scaledStart = 0n] = decimals.map(
    ({ digits, exponent: own }) => digits * 10n ** BigInt(own - exponent),
  );
  return (scaledValue - scaledStart) % scaledStep === 0n;
}

function decimalOf(value: number): Decimal {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

export const median = (figures: readonly number[]): number => percentile(figures, 50);

export function percentile(figures: readonly number[], percent: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** Rounds to the significant digits. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return '-';
  return value.toFixed(value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2);
};

export const times = (ratio: number): string => `${figure(ratio)}x`;

/** A figure beside its goal; by default a ratio. */
export const figureWithGoal = (value: number, goal: number, is: 'at least' | 'at most', written = times): string => {
  const met = is === 'at least' ? value >= goal : value <= goal;
  return `${written(value)} (${is} ${written(goal)}: ${met ? 'met' : 'missed'})`;
};

/** Rows in columns under a title; numbers are aligned to the right. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    widths
      .map((width, column) => {
        const text = row[column] ?? '';
        return /^-?[\d.]+x?$/.test(text) ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return ['', title, '', line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

import { figure } from './figures.ts';

/** The figures of one service under one workload. */
export interface LoadFigures {
  readonly service: string;
  /** Milliseconds of CPU time a request. */
  readonly cpu: number;
  /** Requests a second. */
  readonly speed: number;
}

/** The services under one workload, ours first. */
export interface LoadGroup {
  readonly workload: string;
  readonly services: readonly LoadFigures[];
}

const names = { left: 20, width: 90 };
const panels = [
  { title: 'CPU ms a request: less is better', left: 120, member: 'cpu' },
  { title: 'requests a second: more is better', left: 470, member: 'speed' },
] as const;
const barMax = 260;
const rowHeight = 18;
const groupGap = 34;
const top = 40;
const width = 820;

/**
 * A bar chart as SVG, for light and dark pages. The longest bar of a workload in a panel is that of its largest figure,
 * so that bars compare services, never workloads.
 */
export function loadPicture(groups: readonly LoadGroup[]): string {
  const parts: string[] = panels.map(({ title, left }) => text(left, 24, title, 'title'));
  let y = top;
  for (const { workload, services } of groups) {
    y += groupGap;
    parts.push(text(names.left, y - 10, workload, 'workload'));
    for (const [index, figures] of services.entries()) {
      parts.push(text(names.left, y + 9, figures.service, 'name'));
      for (const { left, member } of panels) {
        const longest = Math.max(...services.map((other) => other[member]));
        const length = Math.max(1, Math.round((barMax * figures[member]) / longest));
        parts.push(
          `<rect x="${left}" y="${y}" width="${length}" height="11" rx="2" class="${index === 0 ? 'ours' : 'other'}"/>`,
          text(left + length + 6, y + 9, figure(figures[member]), 'figure'),
        );
      }
      y += rowHeight;
    }
  }
  const height = y + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>CPU time a request and requests a second beside other services</title>',
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" class="page"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

const style = [
  'text{font:12px system-ui,sans-serif;fill:#475569}.title,.workload{font-weight:600;fill:#0f172a}',
  '.figure{font-size:11px}.page{fill:#fff}.ours{fill:#0d9488}.other{fill:#cbd5e1}',
  '@media(prefers-color-scheme:dark){text{fill:#94a3b8}.title,.workload{fill:#f1f5f9}',
  '.page{fill:#0f172a}.ours{fill:#2dd4bf}.other{fill:#475569}}',
].join('');

const text = (x: number, y: number, content: string, name: string): string =>
  `<text x="${x}" y="${y}" class="${name}">${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;

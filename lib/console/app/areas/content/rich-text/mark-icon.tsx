import type { Mark } from './marks.ts';

const drawings: Readonly<Record<Mark, string>> = {
  heading: 'M6 5v14M18 5v14M6 12h12',
  bold: 'M8 5v14M8 5h5a3.5 3.5 0 0 1 0 7H8h6a3.5 3.5 0 0 1 0 7H8',
  italic: 'M10 5h8M6 19h8M14 5l-4 14',
  bullets: 'M10 6h10M10 12h10M10 18h10M4 6h1M4 12h1M4 18h1',
  numbers: 'M10 6h10M10 12h10M10 18h10M4 4.5 5.5 4v4M4 15.5h2.5L4 20h3',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
};

export const MarkIcon = ({ mark }: { readonly mark: Mark }) => (
  <svg className="icon-drawing" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={drawings[mark]} />
  </svg>
);

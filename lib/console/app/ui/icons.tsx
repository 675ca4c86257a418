import type { ReactNode } from 'react';

const icon = (drawing: ReactNode) => (
  <svg className="icon-drawing" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
    {drawing}
  </svg>
);

const drawings = {
  overview: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  menu: 'M6 3v7a2 2 0 0 0 4 0V3M8 12v9M17 3c-2 1-3 4-3 7v3h3zM17 13v8',
  content: 'M5 3h10l4 4v14H5zM14 3v5h5M8 13h8M8 17h5',
  forms: 'M4 5h16M4 5v14h16V5M8 10h8M8 14h5',
  inbox: 'M4 5h16v11h-9l-5 4v-4H4z',
  access: 'M14 10a4 4 0 1 0-3.5 4L12 15.5V18h2.5v2.5H18V17l-4.5-4.5',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
} as const;

export const AreaIcon = ({ area }: { readonly area: keyof typeof drawings }) => icon(<path d={drawings[area]} />);
export const MenuIcon = () => icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const CloseIcon = () => icon(<path d="M6 6l12 12M18 6L6 18" />);
export const SearchIcon = () => icon(<path d="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20" />);
export const UpIcon = () => icon(<path d="M12 19V5M6 11l6-6 6 6" />);
export const DownIcon = () => icon(<path d="M12 5v14M6 13l6 6 6-6" />);
export const PlusIcon = () => icon(<path d="M12 5v14M5 12h14" />);

export const BrandMark = () => (
  <svg className="brand-mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="9" />
    <path d="M9 21V11l7 7 7-7v10" />
  </svg>
);

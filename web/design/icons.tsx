/** Rising and falling candles: the sign of the exchange. */
export const LogoIcon = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true">
    <path fill="#ef4444" d="M5 4h1v2h1v5H6v2H5v-2H4V6h1z" />
    <path
      fill="#10b981"
      d="M1 8h1v2h1v4H2v1H1v-1H0v-4h1zM9 6h1v2h1v5h-1v1H9v-1H8V8h1zM13 1h1v2h1v6h-1v2h-1V9h-1V3h1z"
    />
  </svg>
);

const outline = { fill: 'none', stroke: 'currentColor', 'stroke-width': '1.6', 'stroke-linecap': 'round' } as const;

/** A cross, which closes. */
export const CloseIcon = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true" {...outline}>
    <path d="M4 4l8 8M12 4l-8 8" />
  </svg>
);

/** A glass, which searches. */
export const SearchIcon = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true" {...outline}>
    <circle cx="7" cy="7" r="4.5" />
    <path d="M10.5 10.5L14 14" />
  </svg>
);

/** Half a sun: light or dark. */
export const ThemeIcon = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true" {...outline}>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" stroke="none" />
  </svg>
);

/** A star, full when it is a favourite. */
export const StarIcon = ({ isFull }: { readonly isFull: boolean }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true" {...outline} fill={isFull ? 'currentColor' : 'none'}>
    <path d="M8 1.8l1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z" stroke-linejoin="round" />
  </svg>
);

/** A mark that points down: more below. */
export const DownIcon = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true" {...outline}>
    <path d="M4 6l4 4 4-4" />
  </svg>
);

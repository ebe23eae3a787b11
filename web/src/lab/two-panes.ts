/** A list with what is chosen from it beside it, one below the other where there is little room. */
export const twoPanes = {
  gap: '5',
  alignItems: 'start',
  templateColumns: {
    base: 'minmax(0, 1fr)',
    sm: '19rem minmax(0, 1fr)',
    md: '22rem minmax(0, 1fr)',
  },
} as const;

/** How the row of a list shows that it is the one beside it: outlined where a system's own colours replace backgrounds. */
export const chosenRow = {
  '&[aria-current]': { bg: 'brand.subtle', _highContrast: { outline: '3px solid Highlight', outlineOffset: '-3px' } },
} as const;

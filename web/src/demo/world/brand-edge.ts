/** The edge of a button in a visitor's colour: a white one on white paper would not be seen. */
export const BRAND_EDGE = {
  base: 'color-mix(in oklab, {colors.brand.solid} 85%, {colors.brand.contrast})',
  _dark: 'brand.border',
} as const;

/** Border of a button in the visitor's colour, which can be white on white. */
export const BRAND_EDGE = {
  base: 'color-mix(in oklab, {colors.brand.solid} 85%, {colors.brand.contrast})',
  _dark: 'brand.border',
} as const;

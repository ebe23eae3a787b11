/** Paths of the demo, separate from `paths`, which every page loads. */
export const demoPaths = {
  /** The form to start a demo. */
  opening: '/demo',
  /** The demo itself, in its own space. */
  demo: '/demo/stage',
  /** Prefix of the sample applications. */
  apps: '/demo/app',
} as const;

/** Border of a button in the visitor's colour, which can be white on white. */
export const BRAND_EDGE = {
  base: 'color-mix(in oklab, {colors.brand.solid} 85%, {colors.brand.contrast})',
  _dark: 'brand.border',
} as const;

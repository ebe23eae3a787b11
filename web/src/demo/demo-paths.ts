/** Paths of the demo. Kept separate from `paths`, which every page loads. */
export const demoPaths = {
  /** The form that starts a demo. */
  opening: '/demo',
  /** The demo itself, which runs in a separate space. */
  demo: '/demo/stage',
  /** Prefix for the sample applications. */
  apps: '/demo/app',
} as const;

/** Button border. The visitor's colour can be white, which would be invisible on a white page. */
export const BRAND_BORDER = {
  base: 'color-mix(in oklab, {colors.brand.solid} 85%, {colors.brand.contrast})',
  _dark: 'brand.border',
} as const;

/** Paths of the demo, separate from `paths`, which every page loads. */
export const demoPaths = {
  /** The form to start a demo. */
  opening: '/demo',
  /** The demo itself, in its own space. */
  demo: '/demo/stage',
  /** Prefix of the sample applications. */
  apps: '/demo/app',
} as const;

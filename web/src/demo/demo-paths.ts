/** The addresses of the stage; apart from `paths`, which everybody loads. */
export const stagePaths = {
  /** Where a visitor says whose portal it shall be. */
  opening: '/demo',
  /** In the space that was started for it. */
  stage: '/demo/stage',
  /** The applications that people sign in to, below this. */
  apps: '/demo/app',
} as const;

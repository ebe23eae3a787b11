/**
 * Identifies the screen of a path: a new key mounts a new screen. The tabs of one application are one screen, since
 * they are saved together.
 */
export function screenKeyOf(pathname: string): string {
  return pathname.startsWith('/applications/') ? pathname.split('/', 3).join('/') : pathname;
}

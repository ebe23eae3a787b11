/**
 * Which screen a path shows: a change of it begins a new one. The tabs of one application are one screen, since what was
 * typed on one of them is saved together with the others.
 */
export function screenKeyOf(pathname: string): string {
  return pathname.startsWith('/applications/') ? pathname.split('/', 3).join('/') : pathname;
}

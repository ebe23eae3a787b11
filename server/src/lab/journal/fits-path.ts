/** Whether an address is the wanted one; `*` at the end of that stands for everything below. */
export const fitsPath = (path: string, wanted: string): boolean =>
  wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;

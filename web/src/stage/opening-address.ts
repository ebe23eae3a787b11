import { stagePaths } from './stage-paths.ts';

/**
 * Where another stage can be opened: at the portal that started this one, as the address of the stage names it. A name
 * of another host is not followed, because anybody can write an address.
 */
export function openingAddress(from: string | null, here: Pick<Location, 'hostname'>): string {
  const origin = from === null ? null : URL.parse(from);
  const isOurs = origin !== null && /^https?:$/.test(origin.protocol) && origin.hostname === here.hostname;
  return isOurs ? `${origin.origin}${stagePaths.opening}` : stagePaths.opening;
}

import { setImmediate } from 'node:timers/promises';

/** How many event loop turns to wait for a closed connection's handles to be released. */
const MOST_TURNS = 1_000;

/** Returns the kinds of sockets, servers and timers left open by `work`. */
export async function handlesLeftBy(work: () => Promise<void>): Promise<string[]> {
  const before = process.getActiveResourcesInfo();
  await work();
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    await setImmediate();
    if (added(before).length === 0) break;
  }
  return added(before);
}

function added(before: readonly string[]): string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((kind) => {
    const index = known.indexOf(kind);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
}

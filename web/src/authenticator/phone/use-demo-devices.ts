import { type VirtualDevice, virtualDevices } from '@orchestrate/shared';
import useSWR from 'swr';
import { callPortal } from './this-phone.ts';

/** The seeded demo devices that can act as a phone; undefined until the lab has answered, and where there is none. */
export function useDemoDevices(): VirtualDevice[] | undefined {
  const { data } = useSWR('authenticator demo devices', read, { shouldRetryOnError: false });
  return data;
}

async function read(): Promise<VirtualDevice[]> {
  const { devices } = await callPortal(virtualDevices, { query: {} });
  return phonesFirst(devices.filter(({ type }) => type !== 'webauthn'));
}

/** In the lab's order of people, most frequent sign-ins first; of one person's devices the phone. */
function phonesFirst(devices: VirtualDevice[]): VirtualDevice[] {
  const people = Map.groupBy(devices, ({ suid }) => suid);
  return [...people.values()].flatMap((own) => own.toSorted((a, b) => b.type.localeCompare(a.type)));
}

import { type VirtualDevice, virtualDevices } from '@orchestrate/shared';
import useSWR from 'swr';
import { callPortal } from './this-phone.ts';

/** Returns the seeded devices that can act as a phone, or undefined while loading or without a lab. */
export function useDemoDevices(): VirtualDevice[] | undefined {
  const { data } = useSWR('authenticator demo devices', read, { shouldRetryOnError: false });
  return data;
}

async function read(): Promise<VirtualDevice[]> {
  const { devices } = await callPortal(virtualDevices, { query: {} });
  return phonesFirst(devices.filter(({ type }) => type !== 'webauthn'));
}

/** Returns one device per user, preferring phones, in the lab's order (most frequent sign-ins first). */
function phonesFirst(devices: VirtualDevice[]): VirtualDevice[] {
  const people = Map.groupBy(devices, ({ suid }) => suid);
  return [...people.values()].flatMap((own) => own.toSorted((a, b) => b.type.localeCompare(a.type)));
}

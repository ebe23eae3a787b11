import { type VirtualDevice, virtualDevices } from '@orchestrate/shared';
import useSWR from 'swr';
import { callPortal } from './this-phone.ts';

/** The seeded demo devices that can act as a phone; undefined until the lab has answered, and where there is none. */
export function useDemoDevices(): VirtualDevice[] | undefined {
  const { data } = useSWR('authenticator demo devices', async () => {
    const { devices } = await callPortal(virtualDevices, { query: {} });
    return devices.filter(({ type }) => type !== 'webauthn');
  });
  return data;
}

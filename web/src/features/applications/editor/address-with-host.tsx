import { chakra } from '@chakra-ui/react';

/** Returns the host with its port, which decides where a browser goes, or the whole address if it has none. */
export function hostIn(address: string): string {
  const host = URL.parse(address)?.host ?? '';
  return host !== '' && address.includes(host) ? host : address;
}

/** An address whose host stands out, so that a misleading path or subdomain is noticed. */
export function AddressWithHost({ address }: { address: string }) {
  const host = hostIn(address);
  const at = address.indexOf(host);
  return (
    <chakra.span textStyle="code" fontSize="sm" color="fg.muted" overflowWrap="anywhere">
      {address.slice(0, at)}
      <chakra.strong color="fg" fontWeight="bold">
        {host}
      </chakra.strong>
      {address.slice(at + host.length)}
    </chakra.span>
  );
}

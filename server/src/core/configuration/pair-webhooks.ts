import { maskAddress } from '@orchestrate/shared';

/**
 * Finds the present webhook that each webhook of a file stands for. An exported file has masked addresses: they stand for
 * the webhooks of that host, in their order. Of several with one address, the first in the file is the first present one.
 */
export function pairWebhooks<Present extends { url: string }>(
  inFile: readonly { url: string }[],
  present: readonly Present[],
): (Present | undefined)[] {
  const left = [...present];
  const take = (matches: (webhook: Present) => boolean) => {
    const at = left.findIndex(matches);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  // Full addresses first, so that a masked one doesn't take their webhooks.
  const exact = inFile.map(({ url }) => take((webhook) => webhook.url === url));
  return inFile.map(({ url }, at) => exact[at] ?? take((webhook) => maskAddress(webhook.url) === url));
}

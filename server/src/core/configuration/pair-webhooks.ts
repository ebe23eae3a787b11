import { maskAddress } from '@orchestrate/shared';

/**
 * Finds the existing webhook for each webhook in a file. Exported URLs are masked: a masked URL is paired, in order,
 * with the webhooks on its host. Webhooks that share a URL are paired in order, too.
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
  // Pair full URLs first. Otherwise a masked URL could take their webhooks.
  const exact = inFile.map(({ url }) => take((webhook) => webhook.url === url));
  return inFile.map(({ url }, at) => exact[at] ?? take((webhook) => maskAddress(webhook.url) === url));
}

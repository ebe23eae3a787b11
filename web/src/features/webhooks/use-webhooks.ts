import { listWebhookDeliveries, listWebhooks, readWebhook } from '@orchestrate/shared';
import { usePages } from '#lib/api/use-pages.ts';
import { useRead } from '#lib/api/use-read.ts';
import type { DeliveryStatus } from './shared/delivery-details.tsx';

/** Loads the organisation's webhooks, with masked URLs. */
export const useWebhooks = () => useRead(listWebhooks, {});

/** Loads one webhook with its full URL. */
export const useWebhook = (webhookId: string) => useRead(readWebhook, { params: { webhookId } });

/** Loads a webhook's deliveries one page at a time, newest first. */
export function useDeliveries(webhookId: string, status: DeliveryStatus | undefined) {
  const { pages, ...list } = usePages(listWebhookDeliveries, (lastItem) => ({
    params: { webhookId },
    query: { status, lastItem },
  }));
  return { ...list, deliveries: pages?.flatMap((page) => page.Items) };
}

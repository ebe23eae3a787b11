import { listWebhookDeliveries, listWebhooks, readWebhook } from '@orchestrate/shared';
import { usePages } from '#lib/api/use-pages.ts';
import { useRead } from '#lib/api/use-read.ts';
import type { DeliveryStatus } from './shared/delivery-details.tsx';

/** Reads the organisation's webhooks, with masked addresses. */
export const useWebhooks = () => useRead(listWebhooks, {});

/** Reads one webhook with its full address. */
export const useWebhook = (webhookId: string) => useRead(readWebhook, { params: { webhookId } });

/** Reads a webhook's deliveries, newest first, page by page. */
export function useDeliveries(webhookId: string, status: DeliveryStatus | undefined) {
  const { pages, ...list } = usePages(listWebhookDeliveries, (lastItem) => ({
    params: { webhookId },
    query: { status, lastItem },
  }));
  return { ...list, deliveries: pages?.flatMap((page) => page.Items) };
}

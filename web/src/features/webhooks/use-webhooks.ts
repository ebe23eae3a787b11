import { listWebhookDeliveries, listWebhooks, readWebhook } from '@orchestrate/shared';
import { usePages } from '#lib/api/use-pages.ts';
import { useRead } from '#lib/api/use-read.ts';
import type { DeliveryStatus } from './shared/delivery-details.tsx';

/** The webhooks of the organisation, their addresses masked. */
export const useWebhooks = () => useRead(listWebhooks, {});

/** One webhook with its full address. */
export const useWebhook = (webhookId: string) => useRead(readWebhook, { params: { webhookId } });

/** What was sent to a webhook, newest first, page by page. */
export function useDeliveries(webhookId: string, status: DeliveryStatus | undefined) {
  const { pages, ...list } = usePages(listWebhookDeliveries, (lastItem) => ({
    params: { webhookId },
    query: { status, lastItem },
  }));
  return { ...list, deliveries: pages?.flatMap((page) => page.Items) };
}

import { type Device, getUser, type ReplyOf } from '@orchestrate/shared';
import { useEffect, useRef } from 'react';
import useSWR from 'swr';
import { now } from '#adapters/browser.ts';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import type { Preview } from '#lib/api/pending-changes.ts';
import { useRead } from '#lib/api/use-read.ts';
import { sortNewestFirst } from './device-rules.ts';

/**
 * Returns the time of the latest successful reply in milliseconds since 1970, or undefined before the first reply.
 * Cached alongside the reply, because a cached list must also show its age.
 */
function useRefreshTime(name: string, read: { isValidating: boolean; refusal: unknown }): number | undefined {
  const { data, mutate } = useSWR<number>(['refresh time', name], null);
  const wasValidating = useRef(false);
  const { isValidating, refusal } = read;

  useEffect(() => {
    if (wasValidating.current && !isValidating && !refusal) void mutate(now(), { revalidate: false });
    wasValidating.current = isValidating;
  }, [isValidating, refusal, mutate]);

  return data;
}

export interface MemberDevices {
  /** Registered devices, newest first; undefined until the first reply. */
  devices: Device[] | undefined;
  /** The whole reply, with the devices in wire order and their owner. */
  reply: ReplyOf<typeof getUser> | undefined;
  refusal: ApiRefusal | undefined;
  isValidating: boolean;
  refreshedAt: number | undefined;
  refetch: () => Promise<unknown>;
  preview: (apply: (reply: ReplyOf<typeof getUser>) => ReplyOf<typeof getUser>) => Preview;
}

/** Reads a member's registered devices, or the signed-in user's if `suid` is absent (GET user). */
export function useMemberDevices(suid?: string): MemberDevices {
  const { data: reply, ...read } = useRead(getUser, { query: suid ? { suid } : {} });
  const refreshedAt = useRefreshTime(`devices of ${suid ?? 'oneself'}`, read);
  return { ...read, reply, devices: reply && sortNewestFirst(reply.devices), refreshedAt };
}

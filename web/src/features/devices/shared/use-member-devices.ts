import { type Device, getUser, type ReplyOf } from '@orchestrate/shared';
import { useEffect, useRef } from 'react';
import useSWR from 'swr';
import { now } from '#adapters/clock.ts';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import type { Preview } from '#lib/api/pending-changes.ts';
import { useRead } from '#lib/api/use-read.ts';
import { newestFirst } from './device-rules.ts';

/**
 * When a read was last answered, in milliseconds since 1970; undefined before the first answer. It is kept in the cache
 * beside the answer, so that a list shown from the cache also shows its age.
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
  /** Newest registration first; undefined until the first answer. */
  devices: Device[] | undefined;
  /** The whole answer: the devices as they came, and whose they are. */
  reply: ReplyOf<typeof getUser> | undefined;
  refusal: ApiRefusal | undefined;
  isValidating: boolean;
  refreshedAt: number | undefined;
  refetch: () => Promise<unknown>;
  preview: (apply: (reply: ReplyOf<typeof getUser>) => ReplyOf<typeof getUser>) => Preview;
}

/** The registered devices of a member, of the signed-in person where no `suid` is given (GET user). */
export function useMemberDevices(suid?: string): MemberDevices {
  const { data: reply, ...read } = useRead(getUser, { query: suid ? { suid } : {} });
  const refreshedAt = useRefreshTime(`devices of ${suid ?? 'oneself'}`, read);
  return { ...read, reply, devices: reply && newestFirst(reply.devices), refreshedAt };
}

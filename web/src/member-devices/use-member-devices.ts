import { type Device, getUser, type ReplyOf } from '@orchestrate/shared';
import type { ApiRefusal } from '../lib/api/api-refusal.ts';
import type { Preview } from '../lib/api/pending-changes.ts';
import { useRead } from '../lib/api/use-read.ts';
import { newestFirst } from './device-rules.ts';
import { useRefreshTime } from './use-refresh-time.ts';

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

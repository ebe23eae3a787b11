import type { virtualDeviceRepo } from '@orchestrate/db';
import type { AnyFault, OutboxFault, PhonePolicy, SocketFault, WebhookFault } from '@orchestrate/shared';
import type { ClockSetting } from './adapters/clock.ts';

/** A phone's pending answer. Later policy changes don't affect it. */
export interface PlannedAnswer {
  challengeId: string;
  policy: PhonePolicy;
  phone: virtualDeviceRepo.VirtualDeviceRow;
}

/** The phones' policies and their progress at one moment. */
export interface PolicyState {
  policies: readonly PhonePolicy[];
  /** IDs of the requests that have already matched a policy. */
  met: readonly string[];
  /** Pending answers, each with the milliseconds remaining. */
  planned: readonly (PlannedAnswer & { afterMs: number })[];
}

/** The complete state of a portal in a snapshot. */
export interface SnapshotState {
  image: Buffer;
  clock: ClockSetting;
  faults: readonly AnyFault[];
  socketFaults: readonly SocketFault[];
  webhookFaults: readonly WebhookFault[];
  outboxFaults: readonly OutboxFault[];
  policies: PolicyState;
}

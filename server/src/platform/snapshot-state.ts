import type { virtualDeviceRepo } from '@orchestrate/db';
import type { AnyFault, PhonePolicy, SocketFault } from '@orchestrate/shared';
import type { ClockSetting } from './adapters/clock.ts';

/** A pending answer of a phone, independent of later changes of the policy. */
export interface PlannedAnswer {
  challengeId: string;
  policy: PhonePolicy;
  phone: virtualDeviceRepo.VirtualDeviceRow;
}

/** Policies with their progress at one moment. */
export interface PolicyState {
  policies: readonly PhonePolicy[];
  /** Ids of the requests that already matched a policy. */
  met: readonly string[];
  /** Pending answers, with the milliseconds left. */
  planned: readonly (PlannedAnswer & { afterMs: number })[];
}

/** The complete state of a portal in a snapshot. */
export interface SnapshotState {
  image: Buffer;
  clock: ClockSetting;
  faults: readonly AnyFault[];
  socketFaults: readonly SocketFault[];
  policies: PolicyState;
}

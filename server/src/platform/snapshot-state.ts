import type { virtualDeviceRepo } from '@orchestrate/db';
import type { AnyFault, PhonePolicy, SocketFault } from '@orchestrate/shared';
import type { ClockSetting } from './adapters/clock.ts';

/** What a phone still does with a request, whatever has become of the policy. */
export interface PlannedAnswer {
  challengeId: string;
  policy: PhonePolicy;
  phone: virtualDeviceRepo.VirtualDeviceRow;
}

/** The policies of one moment, and what had come of them. */
export interface PolicyState {
  policies: readonly PhonePolicy[];
  /** Ids of the requests that have met one: they meet no other. */
  met: readonly string[];
  /** Milliseconds are those left until the answer. */
  planned: readonly (PlannedAnswer & { afterMs: number })[];
}

/** Everything of a portal at one moment, as a snapshot keeps it. */
export interface SnapshotState {
  image: Buffer;
  clock: ClockSetting;
  faults: readonly AnyFault[];
  socketFaults: readonly SocketFault[];
  policies: PolicyState;
}

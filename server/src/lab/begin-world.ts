import type { Deps } from '../deps.ts';
import type { ClockSetting } from '../platform/adapters/clock.ts';
import { TOPIC } from '../platform/live/bus.ts';

/**
 * Sets the clock to the time of a world whose data have just been written. What was planned for the world before is
 * cancelled first: its housekeeping would delete what is old by its own clock. Sessions do not outlive their data, so
 * channels check, and close.
 */
export function beginWorld({ bus, clock }: Deps, setting: ClockSetting): void {
  clock.set(setting, () => bus.changed(TOPIC.reset));
}

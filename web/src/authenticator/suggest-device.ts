import type { DeviceDescription } from '@orchestrate/shared';
import { describeBrowser, systemOf } from '@orchestrate/shared/authenticator';

/** What a browser can say about the device that it runs on, as a start for the person who names it. */
export function suggestDevice(userAgent: string): DeviceDescription {
  const system = systemOf(userAgent);
  // Browsers that keep the model to themselves say 'K'.
  const model = /\bAndroid [^;)]+; ([^;)]{2,40})\)/.exec(userAgent)?.[1];
  const names: Partial<Record<string, string>> = { iPhone: 'iPhone', iPad: 'iPad', Android: model ?? 'Android phone' };
  return { name: names[system ?? ''] ?? 'Simulated phone', type: 'mobile', platform: describeBrowser(userAgent) };
}

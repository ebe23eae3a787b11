import { t } from '@lingui/core/macro';
import type { DeviceDescription } from '@orchestrate/shared';
import { describeBrowser, systemOf } from '@orchestrate/shared/authenticator';

/** Suggests a device name and type from the browser's user agent. */
export function suggestDevice(userAgent: string): DeviceDescription {
  const system = systemOf(userAgent);
  // Browsers that hide the model send 'K', which is too short to match.
  const model = /\bAndroid [^;)]+; ([^;)]{2,40})\)/.exec(userAgent)?.[1];
  const names: Partial<Record<string, string>> = { iPhone: 'iPhone', iPad: 'iPad', Android: model ?? t`Android phone` };
  return { name: names[system ?? ''] ?? t`Simulated phone`, type: 'mobile', platform: describeBrowser(userAgent) };
}

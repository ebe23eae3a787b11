import type { DeviceState } from '@orchestrate/shared/authenticator';
import type { OutcomeText } from './requests/outcome.tsx';

/** A scanned sign-in or test code, before the user has chosen an account to respond with. */
export interface ScannedCode {
  orgCode: string;
  code: string;
}

/** The open sheet and the data it displays. */
export type PhoneSheet =
  | { name: 'add' }
  | { name: 'activate'; orgCode?: string }
  | { name: 'pair'; orgCode?: string; aid?: string }
  | { name: 'demo'; orgCode?: string }
  /** Waits until the pairing is confirmed in the portal. */
  | { name: 'pairing' }
  | { name: 'scan' }
  | { name: 'type' }
  | { name: 'opening' }
  /**
   * Asks which of the organisation's accounts to use for a scanned code. The phone may have no account in this
   * organisation.
   */
  | { name: 'choose'; scanned: ScannedCode }
  | { name: 'account'; account: DeviceState }
  | { name: 'outcome'; outcome: OutcomeText };

export type OpenSheet = (sheet: PhoneSheet) => void;

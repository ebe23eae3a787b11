import type { DeviceState } from '@orchestrate/shared/authenticator';
import type { OutcomeText } from './requests/outcome.tsx';

/** A scanned sign-in or test code, before an account is selected to answer it. */
export interface ScannedCode {
  orgCode: string;
  code: string;
}

/** The open sheet and its subject. */
export type PhoneSheet =
  | { name: 'add' }
  | { name: 'activate'; orgCode?: string }
  | { name: 'pair'; orgCode?: string; aid?: string }
  | { name: 'demo'; orgCode?: string }
  /** The phone waits for the confirmation in the portal. */
  | { name: 'pairing' }
  | { name: 'scan' }
  | { name: 'type' }
  | { name: 'opening' }
  /** Several accounts of the organisation can answer the scanned code, or none. */
  | { name: 'choose'; scanned: ScannedCode }
  | { name: 'account'; account: DeviceState }
  | { name: 'outcome'; outcome: OutcomeText };

export type OpenSheet = (sheet: PhoneSheet) => void;

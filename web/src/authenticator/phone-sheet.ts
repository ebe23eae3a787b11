import type { DeviceState } from '@orchestrate/shared/authenticator';
import type { OutcomeText } from './requests/outcome.tsx';

/** A sign-in or test code that was scanned, before an account is chosen to answer it. */
export interface ScannedCode {
  orgCode: string;
  code: string;
}

/** The sheet over the phone's screen, and its subject. */
export type PhoneSheet =
  | { name: 'add' }
  | { name: 'activate'; orgCode?: string }
  | { name: 'pair'; orgCode?: string; aid?: string }
  | { name: 'demo'; orgCode?: string }
  /** This phone has connected and is waiting for the portal. */
  | { name: 'pairing' }
  | { name: 'scan' }
  | { name: 'type' }
  | { name: 'opening' }
  /** Several accounts of an organisation, or none, can answer what was scanned. */
  | { name: 'choose'; scanned: ScannedCode }
  | { name: 'account'; account: DeviceState }
  | { name: 'outcome'; outcome: OutcomeText };

export type OpenSheet = (sheet: PhoneSheet) => void;

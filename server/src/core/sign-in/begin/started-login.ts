import type { LoginMode, PasskeyRequestOptions } from '@orchestrate/shared';

export interface LoginRequest {
  orgCode?: string;
  mode: Exclude<LoginMode, 'COOKIE'>;
  primaryAttr?: string;
  appLoginId?: string;
}

/** Response to the browser, with the code or number to display or the passkeys to request. */
export interface StartedLogin {
  loginId: string;
  mode: LoginMode;
  qid?: string;
  did?: string;
  matchNumber?: string;
  passkey?: PasskeyRequestOptions;
  /** Lifetime, in seconds. */
  idTimeout: number;
}

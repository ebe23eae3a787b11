import type { LoginMode, PasskeyRequestOptions } from '@orchestrate/shared';

export interface LoginRequest {
  orgCode?: string;
  mode: Exclude<LoginMode, 'COOKIE'>;
  primaryAttr?: string;
  appLoginId?: string;
}

/** What the browser is told: which code or number to show, or which passkeys to ask for. */
export interface BegunLogin {
  loginId: string;
  mode: LoginMode;
  qid?: string;
  did?: string;
  matchNumber?: string;
  passkey?: PasskeyRequestOptions;
  /** Seconds. */
  idTimeout: number;
}

import type { Provider } from 'oidc-provider';

/** Sign-in details that sessions and grants store in addition to the library's fields. */
export interface SignInDetails {
  /** Device ID. The session or grant ends with the device. */
  zid?: string;
  /** Browser ID; sessions only. */
  browser?: string;
  /** True if the sign-in satisfied step-up; sessions only. */
  hasStepUp?: boolean;
}

const FIELDS: readonly (keyof SignInDetails)[] = ['zid', 'browser', 'hasStepUp'];

/**
 * Adds the fields of `SignInDetails` to the stored payload of sessions and grants.
 *
 * No option: the library stores and restores only the fields in the static `IN_PAYLOAD` of a model. Checked with
 * oidc-provider 9.13.3.
 */
export function storeSignInDetails({ Session, Grant }: Provider): void {
  for (const Model of [Session, Grant]) {
    Object.defineProperty(Model, 'IN_PAYLOAD', { value: [...Model.IN_PAYLOAD, ...FIELDS] });
  }
}

/** Returns the sign-in details of a session, a grant, a stored payload or a sign-in result. */
export const signInDetailsOf = (model: object): SignInDetails => model;

/** Sets sign-in details of a session or grant. Undefined details stay unchanged. */
export function setSignInDetails(model: object, details: SignInDetails): void {
  for (const name of FIELDS) if (details[name] !== undefined) Object.assign(model, { [name]: details[name] });
}

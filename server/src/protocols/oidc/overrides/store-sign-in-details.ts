import type { Provider } from 'oidc-provider';

/** What sessions and grants store about their sign-in, in addition to the library's fields. */
export interface SignInDetails {
  /** Id of the device, with which they end. */
  zid?: string;
  /** Id of the browser; sessions only. */
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

/** Returns the details of a session, a grant, their stored payload or the result of a sign-in. */
export const signInDetailsOf = (model: object): SignInDetails => model;

/** Sets details of a session or grant; undefined ones stay as they are. */
export function setSignInDetails(model: object, details: SignInDetails): void {
  for (const name of FIELDS) if (details[name] !== undefined) Object.assign(model, { [name]: details[name] });
}

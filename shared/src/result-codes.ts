/**
 * The 96 result codes of the portal (spec 2 §8), one row each: number, constant, sentence for people, and the HTTP
 * status under which a refusal with that code normally travels (contract §3). Codes 93 and 94 are reserved and never
 * produced.
 */
const rows = {
  SUCCESS: [0, 200, 'Done.'],
  INVALID_REQUEST: [1, 400, 'Some of the information is missing or not valid.'],
  SUID_MISSING: [2, 400, 'The user id is missing.'],
  ZID_MISSING: [3, 400, 'The device id is missing.'],
  SIGNATURE_MISMATCH: [4, 200, 'The signature of the device does not match.'],
  AID_MISSING: [5, 400, 'The add-device code is missing.'],
  UNSUPPORTED_ACTION: [6, 400, 'This action is not supported.'],
  FAILED: [7, 200, 'Something went wrong!'],
  ORG_EMAIL_NOT_FOUND: [8, 200, 'This e-mail address is not known in the organisation.'],
  ACTIVATION_CODE_NOT_FOUND: [9, 200, 'No activation code has been issued. Ask your Administrator for one.'],
  EXPIRED: [10, 200, 'This code or request has expired.'],
  ACCOUNT_LOCKED: [11, 200, 'Account possibly locked due to repeated wrong code attempts.'],
  INVALID_OTP: [12, 200, 'The one-time code must be six digits.'],
  OTP_MISSING: [13, 400, 'The one-time code is missing.'],
  OTP_MISMATCH: [14, 200, 'The one-time code is not correct.'],
  OTP_EXPIRED: [15, 200, 'The one-time code has expired.'],
  PHONE_ALREADY_EXISTS: [16, 409, 'This mobile number is already in use.'],
  ORG_ALREADY_ENABLED: [17, 200, 'This device is already active in the organisation.'],
  ORG_CODE_NOT_FOUND: [18, 404, 'There is no organisation with this code.'],
  REQUESTER_ZID_MISSING: [19, 400, 'The requesting device did not say who it is.'],
  USER_NOT_REGISTERED_FOR_ORG: [20, 200, 'This person has not registered with the organisation yet.'],
  ID_DOESNOT_EXIST: [21, 404, 'This does not exist, or no longer does.'],
  INVALID_VALIDATION_CODE: [22, 200, 'Invalid validation code'],
  INVALID_DOMAIN: [23, 403, 'E-mail addresses of this domain are not allowed.'],
  ORG_MISSING: [24, 400, 'The organisation is missing.'],
  DID_NOT_ENABLED: [25, 200, 'Typing a code is switched off for this organisation.'],
  AT_LEAST_ONE_DEVICE_MUST_EXIST: [26, 200, 'At least one mobile device should exist'],
  AUTH_HISTORY_MISSING: [27, 200, 'There is no such login history record.'],
  UNAUTHORIZED: [28, 401, 'Please sign in.'],
  MOBILE_UNVERIFIED: [29, 200, 'The mobile number has not been verified yet.'],
  USER_ALREADY_ACTIVE: [30, 200, 'User is already active'],
  WEBAUTHN_NOT_ENABLED: [31, 200, 'Passkeys are switched off for this organisation.'],
  INVALID_PERMISSIONS: [32, 403, "You don't have permission for this. Contact the Administrator."],
  ACTIVATION_CODE_MISMATCH: [33, 200, 'The activation code is not correct.'],
  ROLE_CODE_MISSING: [34, 400, 'The role is missing.'],
  USER_INACTIVE: [35, 200, 'This account is disabled. Contact the Administrator.'],
  DEVICE_ADD_LIMIT_REACHED: [36, 200, 'The number of devices allowed has been reached. Remove one to add another.'],
  CANNOT_DELETE_DEFAULT_ROLE: [37, 200, 'A system role cannot be deleted.'],
  ORG_APP_MISSING: [38, 404, 'There is no such application. It may have been deleted.'],
  OIDC_USER_EMAIL_NOT_FOUND: [39, 200, 'The e-mail address of this sign-in is not known in the organisation.'],
  DESKTOP_APP_REMOVED: [40, 200, 'This desktop app has been removed. Add it again.'],
  USER_EXISTS: [41, 409, 'This person already exists.'],
  DESKTOP_DOES_NOT_SUPPORT_DID: [42, 200, 'A desktop device cannot be used to type a sign-in code.'],
  FAQ_CATEGORY_NAME_MISSING: [43, 400, 'The category needs a name.'],
  FAQ_CATEGORY_EXISTS: [44, 200, 'A category with this name already exists.'],
  FAQ_CATEGORY_NOT_FOUND: [45, 404, 'There is no such category.'],
  FAQ_SUBCATEGORY_NAME_MISSING: [46, 400, 'The subcategory needs a name.'],
  FAQ_SUBCATEGORY_EXISTS: [47, 200, 'A subcategory with this name already exists.'],
  FAQ_SUBCATEGORY_NOT_FOUND: [48, 404, 'There is no such subcategory.'],
  FAQ_RECORD_INCOMPLETE: [49, 400, 'A question needs an answer, and an answer its question.'],
  FAQ_RECORD_NOT_FOUND: [50, 404, 'There is no such question.'],
  FORBIDDEN: [51, 403, 'This is not allowed.'],
  OIDC_NOT_CONFIGURED: [52, 200, 'Single sign-on is not configured for this organisation.'],
  INVALID_SESSION: [53, 401, 'Your session has ended. Please sign in again.'],
  VCODE_NOT_FOUND: [54, 200, 'No device has connected yet, so there is no code to verify.'],
  ROLE_LIMIT_REACHED: [55, 200, 'Custom Role Limit Reached'],
  AUTHENTICATOR_DISALLOWED: [56, 200, 'Devices of this type are switched off for this organisation.'],
  DESKTOP_APP_NOT_ENABLED: [57, 200, 'Desktop App is not enabled for this user'],
  LOGIN_NO_CONSENT: [58, 200, 'Consent Denied'],
  DEVICE_INACTIVE: [59, 200, 'This device is paused. Enable it in the portal first.'],
  ORG_EMAIL_NOT_PROVIDED: [60, 400, 'The e-mail address is missing.'],
  ACTIVATION_CODE_NOT_PROVIDED: [61, 400, 'The activation code is missing.'],
  EMAIL_OR_CODE_MISMATCH: [62, 200, 'The e-mail address and the activation code do not belong together.'],
  HEX_STRING_MISMATCH: [63, 200, 'Invalid or expired activation link'],
  ACTIVATION_LINK_CLICKED_TOO_SOON: [64, 200, 'This link is not valid yet.'],
  BAD_REQUEST: [65, 400, 'The request could not be read.'],
  DEVICE_NOT_TRUSTED: [66, 200, 'This device is not known, or was reported lost.'],
  ORG_EMAIL_LIMIT_REACHED: [67, 403, 'Too many e-mail addresses at once.'],
  NO_DATA: [68, 200, 'There is nothing in this upload.'],
  IP_NOT_VALID: [69, 403, 'Access not allowed from this IP Address'],
  CODE_RESENT: [70, 200, 'The code that is still valid has been sent again.'],
  OIDC_USER_ORG_NOT_FOUND: [71, 200, 'The organisation of this sign-in is not known.'],
  TEST_DEVICE_SUCCESS: [72, 200, 'The device works.'],
  INVALID_MOBILE_NUMBER: [73, 403, 'This mobile number is not valid.'],
  AUTHENTICATION_INCOMPLETE: [74, 200, 'The sign-in has not been approved yet.'],
  USER_IN_MULTIPLE_ORGS: [75, 200, 'This e-mail address belongs to several organisations. Say which one.'],
  EMAIL_EXISTS: [76, 200, 'Email already exists'],
  LOGIN_INIT: [77, 200, 'Waiting for your device.'],
  LOGIN_PENDING: [78, 200, 'Approve the sign-in on your device.'],
  LOGIN_REJECTED: [79, 200, 'The sign-in was rejected.'],
  LOGIN_SUCCESS: [80, 200, 'Signed in.'],
  INVALID_EMAIL_VERIFICATION: [81, 200, 'This e-mail verification is not valid.'],
  EMAIL_VERIFIED: [82, 200, 'The e-mail address is verified.'],
  ADD_DEVICE_NO_CONSENT: [83, 200, 'Adding the device was cancelled.'],
  QR_LOGIN_NOT_DONE: [84, 200, 'The QR code has not been scanned yet.'],
  TYPE_CODE_LOGIN_NOT_DONE: [85, 200, 'The code has not been typed yet.'],
  COOKIE_ABSENT: [86, 200, 'This browser is not remembered.'],
  COOKIE_EXPIRED: [87, 200, 'This browser is no longer remembered.'],
  MOBILE_APP_NOT_ENABLED: [88, 200, 'Mobile App is not enabled for this user'],
  COOKIE_LOGIN_DISABLED: [89, 200, 'Remembering browsers is switched off for this organisation.'],
  ORG_APP_ALREADY_EXISTS: [90, 200, 'App name already exists'],
  MULTIPLE_APPS: [91, 200, 'The organisation has several portal applications. Say which one.'],
  NAME_ID_MISSING: [92, 400, 'The name id is missing.'],
  RESERVED_93: [93, 500, 'Reserved.'],
  RESERVED_94: [94, 500, 'Reserved.'],
  UPLOAD_BLOCKED_IN_DR: [95, 200, 'Uploads are blocked while the portal runs in disaster recovery mode.'],
} as const satisfies Record<string, readonly [code: number, status: number, sentence: string]>;

export type ResultName = keyof typeof rows;

export interface Result {
  name: ResultName;
  code: number;
  status: number;
  sentence: string;
}

export const RESULT_NAMES = Object.keys(rows) as ResultName[];

/** Everything known about a result: number, HTTP status and sentence. */
export function resultOf(name: ResultName): Result {
  const [code, status, sentence] = rows[name];
  return { name, code, status, sentence };
}

/** The number of a result, e.g. `codeOf('EXPIRED') === 10`. */
export function codeOf<Name extends ResultName>(name: Name): (typeof rows)[Name][0] {
  return rows[name][0];
}

const byCode = new Map<number, ResultName>(RESULT_NAMES.map((name) => [codeOf(name), name]));

/** The constant of a number, or undefined where there is no such code. */
export function resultNameOf(code: number): ResultName | undefined {
  return byCode.get(code);
}

/** Some absent fields have a code of their own (contract §3). */
export const MISSING_FIELD_RESULTS: Readonly<Record<string, ResultName>> = {
  suid: 'SUID_MISSING',
  zid: 'ZID_MISSING',
  aid: 'AID_MISSING',
  org: 'ORG_MISSING',
  orgCode: 'ORG_MISSING',
  orgId: 'ORG_MISSING',
  roleCode: 'ROLE_CODE_MISSING',
  email: 'ORG_EMAIL_NOT_PROVIDED',
  orgEmails: 'ORG_EMAIL_NOT_PROVIDED',
  activationCode: 'ACTIVATION_CODE_NOT_PROVIDED',
  otp: 'OTP_MISSING',
  samlNameId: 'NAME_ID_MISSING',
};

/** Some fields with an unknown value have a code of their own. */
export const UNKNOWN_VALUE_RESULTS: Readonly<Record<string, ResultName>> = {
  action: 'UNSUPPORTED_ACTION',
};

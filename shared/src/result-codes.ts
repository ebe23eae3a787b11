/**
 * The portal's 96 result codes (spec 2 §8), one row each: number, constant, and the usual HTTP status of a refusal
 * with that code (contract §3). Codes 93 and 94 are reserved and never produced. The sentences are in
 * `result-sentences.ts`.
 */
const rows = {
  SUCCESS: [0, 200],
  INVALID_REQUEST: [1, 400],
  SUID_MISSING: [2, 400],
  ZID_MISSING: [3, 400],
  SIGNATURE_MISMATCH: [4, 200],
  AID_MISSING: [5, 400],
  UNSUPPORTED_ACTION: [6, 400],
  FAILED: [7, 200],
  ORG_EMAIL_NOT_FOUND: [8, 200],
  ACTIVATION_CODE_NOT_FOUND: [9, 200],
  EXPIRED: [10, 200],
  ACCOUNT_LOCKED: [11, 200],
  INVALID_OTP: [12, 200],
  OTP_MISSING: [13, 400],
  OTP_MISMATCH: [14, 200],
  OTP_EXPIRED: [15, 200],
  PHONE_ALREADY_EXISTS: [16, 409],
  ORG_ALREADY_ENABLED: [17, 200],
  ORG_CODE_NOT_FOUND: [18, 404],
  REQUESTER_ZID_MISSING: [19, 400],
  USER_NOT_REGISTERED_FOR_ORG: [20, 200],
  ID_DOESNOT_EXIST: [21, 404],
  INVALID_VALIDATION_CODE: [22, 200],
  INVALID_DOMAIN: [23, 403],
  ORG_MISSING: [24, 400],
  DID_NOT_ENABLED: [25, 200],
  AT_LEAST_ONE_DEVICE_MUST_EXIST: [26, 200],
  AUTH_HISTORY_MISSING: [27, 200],
  UNAUTHORIZED: [28, 401],
  MOBILE_UNVERIFIED: [29, 200],
  USER_ALREADY_ACTIVE: [30, 200],
  WEBAUTHN_NOT_ENABLED: [31, 200],
  INVALID_PERMISSIONS: [32, 403],
  ACTIVATION_CODE_MISMATCH: [33, 200],
  ROLE_CODE_MISSING: [34, 400],
  USER_INACTIVE: [35, 200],
  DEVICE_ADD_LIMIT_REACHED: [36, 200],
  CANNOT_DELETE_DEFAULT_ROLE: [37, 200],
  ORG_APP_MISSING: [38, 404],
  OIDC_USER_EMAIL_NOT_FOUND: [39, 200],
  DESKTOP_APP_REMOVED: [40, 200],
  USER_EXISTS: [41, 409],
  DESKTOP_DOES_NOT_SUPPORT_DID: [42, 200],
  FAQ_CATEGORY_NAME_MISSING: [43, 400],
  FAQ_CATEGORY_EXISTS: [44, 200],
  FAQ_CATEGORY_NOT_FOUND: [45, 404],
  FAQ_SUBCATEGORY_NAME_MISSING: [46, 400],
  FAQ_SUBCATEGORY_EXISTS: [47, 200],
  FAQ_SUBCATEGORY_NOT_FOUND: [48, 404],
  FAQ_RECORD_INCOMPLETE: [49, 400],
  FAQ_RECORD_NOT_FOUND: [50, 404],
  FORBIDDEN: [51, 403],
  OIDC_NOT_CONFIGURED: [52, 200],
  INVALID_SESSION: [53, 401],
  VCODE_NOT_FOUND: [54, 200],
  ROLE_LIMIT_REACHED: [55, 200],
  AUTHENTICATOR_DISALLOWED: [56, 200],
  DESKTOP_APP_NOT_ENABLED: [57, 200],
  LOGIN_NO_CONSENT: [58, 200],
  DEVICE_INACTIVE: [59, 200],
  ORG_EMAIL_NOT_PROVIDED: [60, 400],
  ACTIVATION_CODE_NOT_PROVIDED: [61, 400],
  EMAIL_OR_CODE_MISMATCH: [62, 200],
  HEX_STRING_MISMATCH: [63, 200],
  ACTIVATION_LINK_CLICKED_TOO_SOON: [64, 200],
  BAD_REQUEST: [65, 400],
  DEVICE_NOT_TRUSTED: [66, 200],
  ORG_EMAIL_LIMIT_REACHED: [67, 403],
  NO_DATA: [68, 200],
  IP_NOT_VALID: [69, 403],
  CODE_RESENT: [70, 200],
  OIDC_USER_ORG_NOT_FOUND: [71, 200],
  TEST_DEVICE_SUCCESS: [72, 200],
  INVALID_MOBILE_NUMBER: [73, 403],
  AUTHENTICATION_INCOMPLETE: [74, 200],
  USER_IN_MULTIPLE_ORGS: [75, 200],
  EMAIL_EXISTS: [76, 200],
  LOGIN_INIT: [77, 200],
  LOGIN_PENDING: [78, 200],
  LOGIN_REJECTED: [79, 200],
  LOGIN_SUCCESS: [80, 200],
  INVALID_EMAIL_VERIFICATION: [81, 200],
  EMAIL_VERIFIED: [82, 200],
  ADD_DEVICE_NO_CONSENT: [83, 200],
  QR_LOGIN_NOT_DONE: [84, 200],
  TYPE_CODE_LOGIN_NOT_DONE: [85, 200],
  COOKIE_ABSENT: [86, 200],
  COOKIE_EXPIRED: [87, 200],
  MOBILE_APP_NOT_ENABLED: [88, 200],
  COOKIE_LOGIN_DISABLED: [89, 200],
  ORG_APP_ALREADY_EXISTS: [90, 200],
  MULTIPLE_APPS: [91, 200],
  NAME_ID_MISSING: [92, 400],
  RESERVED_93: [93, 500],
  RESERVED_94: [94, 500],
  UPLOAD_BLOCKED_IN_DR: [95, 200],
} as const satisfies Record<string, readonly [code: number, status: number]>;

export type ResultName = keyof typeof rows;

export const RESULT_NAMES = Object.keys(rows) as ResultName[];

/** Returns the usual HTTP status for refusals with this result. */
export const statusOf = (name: ResultName): number => rows[name][1];

/** Returns the number of a result, e.g. `codeOf('EXPIRED') === 10`. */
export function codeOf<Name extends ResultName>(name: Name): (typeof rows)[Name][0] {
  return rows[name][0];
}

const byCode = new Map<number, ResultName>(RESULT_NAMES.map((name) => [codeOf(name), name]));

/** Returns the constant for a number, or undefined if there is no code with this number. */
export function resultNameOf(code: number): ResultName | undefined {
  return byCode.get(code);
}

/** Result codes for fields that must not be missing, by field name (contract §3). */
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

/** Result codes for unknown values, by field name. */
export const UNKNOWN_VALUE_RESULTS: Readonly<Record<string, ResultName>> = {
  action: 'UNSUPPORTED_ACTION',
};

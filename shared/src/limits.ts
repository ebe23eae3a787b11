/**
 * Business constants from the spec (spec 1 §9, spec 2 §9) and the contract (contract §12). Names include the unit.
 * Pixel sizes are defined by the client.
 */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const LIMITS = {
  searchPageSize: 20,
  searchPageSizeMax: 100,
  mailSubjectMaxLength: 150,
  mailBodyMaxLength: 4_000,
  /** Maximum number of test emails to one address per hour. */
  triedMailsPerHour: 20,
  searchMinLength: 3,
  /** Maximum number of search results that are counted and sorted. */
  searchCountMax: 1_000,
  searchDebounceMs: 300,
  personNameMaxLength: 100,
  primaryAttrMaxLength: 254,
  nicknameMinLength: 3,
  nicknameMaxLength: 50,
  nicknameSaveDebounceMs: 500,
  nicknameTypingDebounceMs: 300,
  nicknameIdleCloseMs: 1_000,
  customRoles: 5,
  groupNameMaxLength: 200,
  /** Maximum number of group members that are listed. Directories see all members. */
  groupMembersShown: 1_000,
  /** Maximum number of groups that can use an application. */
  groupsOfApp: 100,
  /** Maximum length of a member's directory attributes that have no field in the portal, in characters of JSON. */
  directoryAttributes: 16_384,
  /**
   * Maximum number of schemas that an organisation can register for its directory, of attributes per schema, and of
   * sub-attributes per attribute.
   */
  scimSchemas: 10,
  scimAttributes: 50,
  scimParts: 20,
  scimCanonicalValues: 50,
  scimSchemaCharacters: 32_768,
  activationCodeLength: 6,
  activationCodePlaceholder: '000000',
  activationCodeLifetimeSeconds: 24 * 3_600,
  /**
   * Hours before expiry from which a code is considered to expire soon. Codes live for a day, so with 24 hours every
   * code would be included.
   */
  codeExpiresSoonHours: 6,
  /** Number of days in the charts of sign-ins and changes, including today. */
  chartDays: 14,
  /** Age up to which “It wasn't me” reports are listed on the dashboard, in days including today. */
  reportDays: 7,
  /** Maximum number of failed attempts from one network. */
  activationCodeTries: 5,
  /** Maximum number of failed attempts across all networks. */
  activationCodeTriesInAll: 15,
  invitationLifetimeDays: 7,
  /** Maximum number of pending pushes per member and origin (decision 144). */
  pushesWaiting: 2,
  oneTimeCodeLength: 6,
  oneTimeCodeLifetimeSeconds: 600,
  oneTimeCodeTries: 5,
  oneTimeCodesPerHour: 5,
  emailChangeHours: 24,
  verbalLifetimeSeconds: 120,
  callerTrustedSeconds: 900,
  /** Maximum number of remembered browsers per member. An additional browser replaces the least recently used one. */
  rememberedBrowsers: 10,
  loginLifetimeSeconds: 120,
  loginExchangeSeconds: 60,
  approvalSeconds: 120,
  /** Period during which an approval lets a session add devices. */
  addDeviceApprovalSeconds: 600,
  /** Hours until a device that was added from a session can approve changes without another device's confirmation. */
  newDeviceHours: 24,
  testDeviceLifetimeSeconds: 60,
  addDeviceConfirmSeconds: 120,
  addDeviceVerifySeconds: 60,
  verificationCodeLength: 2,
  typedCodeLength: 8,
  addDeviceRestartMs: 1_000,
  inviteResultResetMs: 6_000,
  csvUploadBytes: 52_428_800,
  samlMetadataBytes: 5_242_880,
  fileDropBytes: 104_857_600,
  logoBytes: 2_097_152,
  /** Maximum number of pixels in all frames together. */
  logoPixels: 16_000_000,
  logoRecommendedBytes: 102_400,
  logoWarningBytes: 10_485_760,
  jsonBodyBytes: 1_048_576,
  /** Maximum body size for clients that are not signed in. */
  publicBodyBytes: 16_384,
  /**
   * Maximum size of an authorization request's query and of a device authorization request, which are stored before
   * anyone has signed in.
   */
  authorizationRequestBytes: 4_096,
  /** Maximum size of a SAML message in a form, including escapes. */
  samlFormBytes: 65_536,
  appNameMaxLength: 100,
  appDescriptionMaxLength: 500,
  /** Refused redirect URIs remembered per application. */
  refusedRedirects: 3,
  clientSecrets: 5,
  /**
   * Maximum number of RADIUS applications per organisation. Limited because a request is compared with every
   * application's secret.
   */
  radiusApps: 100,
  scimTokens: 5,
  registrationTokens: 10,
  /** Maximum number of members who are individually allowed to use an application. Access by role has no such limit. */
  peopleOfApp: 200,
  /** Maximum number of registered schemas' attributes sent to one application's service. */
  sentAttributes: 200,
  claimsOfApp: 50,
  keysOfClient: 20,
  samlAttributes: 5,
  samlAttributeConfigs: 2,
  samlCertificates: 5,
  signingKeys: 10,
  richTextMaxLength: 10_000,
  faqCategories: 50,
  faqSubcategoriesPerCategory: 50,
  faqRecordsPerSubcategory: 200,
  faqRecords: 1_000,
  clipboardConfirmationMs: 3_000,
  toastMs: 3_000,
  toastsAtOnce: 3,
  countdownTickMs: 400,
  cacheMs: 60_000,
  qrErrorCorrection: 'H',
  skeletonCards: 4,
  skeletonRows: 3,
  applicationSkeletonRows: 6,
  memberLoginHistoryCount: 5,
  accessTokenSeconds: 600,
  refreshReplayGraceSeconds: 10,
  signatureSkewSeconds: 60,
  pingSeconds: 25,
} as const;

/** Default lifetimes of tokens from an OpenID provider, in seconds. Each application can override them. */
export const TOKEN_LIFETIMES = {
  ttlIdToken: 3_600,
  ttlAccessToken: 3_600,
  ttlAuthorizationCode: 60,
  ttlRefreshToken: 14 * 24 * 3_600,
} as const;

/** Brand colour of organisations that haven't chosen one. */
export const DEFAULT_BRAND = '#FACC15';

/** ASCII alphabet for codes that people read aloud and type. Excludes 0/O and 1/I/L. */
export const TYPED_CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/**
 * Keys under which the client stores its session in the browser's `localStorage`. Tests can write a session under the
 * same keys.
 */
export const STORED_SESSION = {
  /** Session as JSON: an `AuthState` with `tokenEndsAt`, in milliseconds since the epoch. */
  session: 'orchestrate.session',
  /** The organisation code. */
  organisation: 'orchestrate.organisation',
} as const;

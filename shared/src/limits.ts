/**
 * Business constants of the spec (spec 1 §9, spec 2 §9) and of the contract (contract §12) in one place. Units are in the names.
 * Pixels are the client's own.
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
  /** Test emails to one address. */
  triedMailsPerHour: 20,
  searchMinLength: 3,
  /** Maximum number of found members that are counted and sorted. */
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
  /** Members of a group that are listed; a directory sees more. */
  groupMembersShown: 1_000,
  /** Groups that can use an application. */
  groupsOfApp: 100,
  /** Characters of JSON for a member's directory attributes without a field of ours. */
  directoryAttributes: 16_384,
  /** Schemas that an organisation registers for its directory, with the attributes of each and their sub-attributes. */
  scimSchemas: 10,
  scimAttributes: 50,
  scimParts: 20,
  scimCanonicalValues: 50,
  scimSchemaCharacters: 32_768,
  activationCodeLength: 6,
  activationCodePlaceholder: '000000',
  activationCodeLifetimeSeconds: 24 * 3_600,
  /**
   * Hours before expiry from which a code counts as expiring soon. All codes live for a day, so a day would count every
   * one.
   */
  codeExpiresSoonHours: 6,
  /** From one network. */
  activationCodeTries: 5,
  /** From all networks together. */
  activationCodeTriesInAll: 15,
  invitationLifetimeDays: 7,
  /** Maximum number of pushes that wait for one member, for each origin (decision 144). */
  pushesWaiting: 2,
  oneTimeCodeLength: 6,
  oneTimeCodeLifetimeSeconds: 600,
  oneTimeCodeTries: 5,
  oneTimeCodesPerHour: 5,
  emailChangeHours: 24,
  verbalLifetimeSeconds: 120,
  callerTrustedSeconds: 900,
  /** Of one member; a further one replaces the least recently used one. */
  rememberedBrowsers: 10,
  loginLifetimeSeconds: 120,
  loginExchangeSeconds: 60,
  approvalSeconds: 120,
  /** Period in which one approval lets a session add devices. */
  addDeviceApprovalSeconds: 600,
  /** Hours until a device that a session added can approve changes without another device's confirmation. */
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
  /** Of all frames together. */
  logoPixels: 16_000_000,
  logoRecommendedBytes: 102_400,
  logoWarningBytes: 10_485_760,
  jsonBodyBytes: 1_048_576,
  /** For callers who are not signed in. */
  publicBodyBytes: 16_384,
  /** For an authorization request's query and a device's request, which are stored before anyone has signed in. */
  authorizationRequestBytes: 4_096,
  /** For a SAML message in a form, escaped. */
  samlFormBytes: 65_536,
  appNameMaxLength: 100,
  appDescriptionMaxLength: 500,
  clientSecrets: 5,
  /** Per organisation: a request is compared with the secret of each. */
  radiusApps: 100,
  scimTokens: 5,
  registrationTokens: 10,
  /** Members who can use an application by name; roles have no such limit. */
  peopleOfApp: 200,
  /** Attributes of registered schemas sent to one application's service. */
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

/** Default lifetimes of tokens from an OpenID provider, in seconds; an application can set its own. */
export const TOKEN_LIFETIMES = {
  ttlIdToken: 3_600,
  ttlAccessToken: 3_600,
  ttlAuthorizationCode: 60,
  ttlRefreshToken: 14 * 24 * 3_600,
} as const;

/** The brand colour of an organisation that has chosen none. */
export const DEFAULT_BRAND = '#FACC15';

/** ASCII alphabet for codes that people read aloud and type: no 0/O, 1/I/L. */
export const TYPED_CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

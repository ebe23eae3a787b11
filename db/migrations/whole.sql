-- Generated from the migrations by `pnpm generate`: what they make of an empty database.
CREATE TABLE "__drizzle_migrations" (
				id SERIAL PRIMARY KEY,
				hash text NOT NULL,
				created_at numeric
			);
CREATE TABLE `app_logins` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`protocol` text NOT NULL,
	`request` text DEFAULT '' NOT NULL,
	`loginHint` text DEFAULT '' NOT NULL,
	`needsStepUp` integer DEFAULT false NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`suid` text,
	`zid` text,
	`mode` text,
	`authenticatedAt` integer,
	`claimedAt` integer, `browser` text, `isFromAnotherSite` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `app_logins_application` ON `app_logins` (`orgCode`,`appId`);
CREATE INDEX `app_logins_expiry` ON `app_logins` (`expiresAt`);
CREATE TABLE `app_tries` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`protocol` text NOT NULL,
	`suid` text NOT NULL,
	"browser" text NOT NULL,
	`nonce` text NOT NULL,
	`codeVerifier` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`returnedAt` integer,
	`result` text,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `app_tries_application` ON `app_tries` (`appId`,`orgCode`);
CREATE INDEX `app_tries_expiry` ON `app_tries` (`expiresAt`);
CREATE TABLE `applications` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`name` text NOT NULL,
	`nameKey` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`integrationType` text NOT NULL,
	`maxCookieLife` integer DEFAULT 0 NOT NULL,
	`didEnabled` integer DEFAULT true NOT NULL,
	`webAuthnEnabled` integer DEFAULT true NOT NULL,
	`desktopAppEnabled` integer DEFAULT true NOT NULL,
	`forceAuthnEnabled` integer DEFAULT false NOT NULL,
	`createdAt` integer NOT NULL, `usableBy` text, `startUrl` text, `logo` text,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `applications_name` ON `applications` (`orgCode`,`nameKey`);
CREATE TABLE `client_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`name` text NOT NULL,
	`secret` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer,
	`lastUsedAt` integer,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `client_secrets_app` ON `client_secrets` (`orgCode`,`appId`);
CREATE TABLE `oidc_clients` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`redirectUris` text NOT NULL,
	`postLogoutRedirectUris` text NOT NULL,
	`ttlIdToken` integer NOT NULL,
	`ttlAccessToken` integer NOT NULL,
	`ttlAuthorizationCode` integer NOT NULL,
	`ttlRefreshToken` integer NOT NULL, `kind` text DEFAULT 'web' NOT NULL, `backchannelLogoutUri` text, `frontchannelLogoutUri` text, `claims` text DEFAULT '[]' NOT NULL, `jwks` text, `jwksUri` text, `idTokenAlg` text DEFAULT 'RS256' NOT NULL, `registrationTokenHash` text, `registeredName` text, `accessTokenFormat` text DEFAULT 'opaque' NOT NULL, `rotateRefreshTokens` integer DEFAULT true NOT NULL, `tokenExchange` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `saml_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`privateKey` text NOT NULL,
	`certificate` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `saml_keys_organisation` ON `saml_keys` (`orgCode`,`createdAt`);
CREATE TABLE `saml_service_providers` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`metadata` text NOT NULL,
	`redirectUrl` text NOT NULL,
	`nameId` text NOT NULL,
	`nameIdFormat` text DEFAULT '' NOT NULL,
	`nameIdTransformationTemplate` text DEFAULT '' NOT NULL,
	`attributes` text NOT NULL,
	`attributesConfig` text NOT NULL, `encryptAssertions` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `remembered_browsers` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`zid` text NOT NULL,
	`secretHash` text NOT NULL,
	`previousHash` text,
	`rotatedAt` integer,
	`userAgent` text NOT NULL,
	`ip` text NOT NULL,
	`createdAt` integer NOT NULL,
	`lastUsedAt` integer NOT NULL,
	`revokedAt` integer, `browser` text,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`zid`) REFERENCES `devices`(`zid`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `remembered_browsers_member` ON `remembered_browsers` (`suid`,`orgCode`);
CREATE INDEX `remembered_browsers_device` ON `remembered_browsers` (`zid`,`orgCode`);
CREATE INDEX `remembered_browsers_age` ON `remembered_browsers` (`createdAt`);
CREATE TABLE `challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`kind` text NOT NULL,
	`mode` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`qid` text,
	`did` text,
	`suid` text,
	`appType` text,
	`appName` text,
	`appLoginId` text,
	`zid` text,
	`deviceName` text,
	`matchNumber` text,
	`numberChoices` text,
	`requesterIp` text NOT NULL,
	`requesterAgent` text NOT NULL,
	`requesterName` text,
	`requesterSuid` text,
	`epoch` text,
	`pairing` text,
	`pairingId` text,
	`resultCode` text,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`resolvedAt` integer,
	`answeredAt` integer,
	`exchangedAt` integer, `askedFor` text, `action` text, `statement` text, `contentHash` text, `network` text, `browser` text,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `challenges_qid` ON `challenges` (`qid`);
CREATE UNIQUE INDEX `challenges_did` ON `challenges` (`did`,`orgCode`);
CREATE UNIQUE INDEX `challenges_pairing` ON `challenges` (`pairingId`);
CREATE INDEX `challenges_waiting` ON `challenges` (`suid`,`orgCode`,`status`,`expiresAt`);
CREATE INDEX `challenges_requester` ON `challenges` (`requesterSuid`,`epoch`,`orgCode`) WHERE "challenges"."requesterSuid" IS NOT NULL;
CREATE INDEX `challenges_expiry` ON `challenges` (`expiresAt`);
CREATE TABLE `device_signatures` (
	`id` text PRIMARY KEY NOT NULL,
	`expiresAt` integer NOT NULL
);
CREATE INDEX `device_signatures_expiry` ON `device_signatures` (`expiresAt`);
CREATE TABLE `devices` (
	`zid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`name` text NOT NULL,
	`nickName` text DEFAULT '' NOT NULL,
	`type` text NOT NULL,
	`platform` text NOT NULL,
	`status` text NOT NULL,
	`publicKey` text,
	`thumbprint` text,
	`registeredAt` integer NOT NULL,
	`lastLoginAt` integer, `approvesFrom` integer DEFAULT 0 NOT NULL, `endedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `devices_member` ON `devices` (`suid`,`orgCode`,`status`);
CREATE INDEX `devices_thumbprint` ON `devices` (`orgCode`,`thumbprint`);
CREATE UNIQUE INDEX `devices_key` ON `devices` (`orgCode`,`thumbprint`) WHERE "devices"."status" IN ('active', 'paused');
CREATE TABLE `virtual_devices` (
	`zid` text PRIMARY KEY NOT NULL,
	`privateKey` text NOT NULL,
	FOREIGN KEY (`zid`) REFERENCES `devices`(`zid`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `external_sign_ins` (
	`stateHash` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	"browser" text NOT NULL,
	`nonce` text NOT NULL,
	`codeVerifier` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`returnedAt` integer,
	`suid` text,
	`codeHash` text,
	`approvedAt` integer,
	`exchangedAt` integer, `issuer` text, `subject` text, `email` text, `approvalId` text,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `external_sign_ins_code` ON `external_sign_ins` (`codeHash`);
CREATE INDEX `external_sign_ins_expiry` ON `external_sign_ins` (`expiresAt`);
CREATE TABLE `faq_categories` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`name` text NOT NULL,
	`nameKey` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `faq_categories_name` ON `faq_categories` (`orgCode`,`nameKey`);
CREATE TABLE `faq_records` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`subcategoryId` text NOT NULL,
	`question` text NOT NULL,
	`answer` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subcategoryId`) REFERENCES `faq_subcategories`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `faq_records_subcategory` ON `faq_records` (`subcategoryId`);
CREATE INDEX `faq_records_organisation` ON `faq_records` (`orgCode`);
CREATE TABLE `faq_subcategories` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`categoryId` text NOT NULL,
	`name` text NOT NULL,
	`nameKey` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`categoryId`) REFERENCES `faq_categories`(`id`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `faq_subcategories_name` ON `faq_subcategories` (`categoryId`,`nameKey`);
CREATE INDEX `faq_subcategories_organisation` ON `faq_subcategories` (`orgCode`);
CREATE TABLE `invitations` (
	`hash` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`type` text NOT NULL,
	`email` text NOT NULL,
	`validFrom` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`usedAt` integer, `invitedAt` integer DEFAULT 0 NOT NULL, `invitedBy` text, `closedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `invitations_member` ON `invitations` (`suid`,`type`,`orgCode`);
CREATE INDEX `invitations_expiry` ON `invitations` (`expiresAt`);
CREATE TABLE `one_time_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`to` text NOT NULL,
	`hash` text NOT NULL,
	`issuedAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`wrongTries` integer DEFAULT 0 NOT NULL,
	`usedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `one_time_codes_member` ON `one_time_codes` (`suid`,`orgCode`,`issuedAt`);
CREATE INDEX `one_time_codes_to` ON `one_time_codes` (`to`,`orgCode`,`issuedAt`);
CREATE INDEX `one_time_codes_expiry` ON `one_time_codes` (`expiresAt`);
CREATE TABLE `member_counts` (
	`orgCode` text NOT NULL,
	`roleCode` text NOT NULL,
	`accountStatus` text NOT NULL,
	`members` integer NOT NULL,
	PRIMARY KEY(`orgCode`, `roleCode`, `accountStatus`)
);
CREATE TABLE `member_trigger_rests` (
	`id` integer PRIMARY KEY NOT NULL
);
CREATE TABLE `activation_codes` (
	`suid` text NOT NULL,
	`type` text NOT NULL,
	`orgCode` text NOT NULL,
	`code` text NOT NULL,
	`expiresAt` integer NOT NULL,
	`wrongTries` integer DEFAULT 0 NOT NULL,
	`usedAt` integer,
	`issuedAt` integer NOT NULL, `wrongTriesInAll` integer DEFAULT 0 NOT NULL, `wrongTriesByNetwork` text DEFAULT '{}' NOT NULL, `isOwn` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`suid`, `type`),
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `activation_codes_expiry` ON `activation_codes` (`orgCode`,`expiresAt`);
CREATE TABLE `members` (
	`id` integer PRIMARY KEY NOT NULL,
	`suid` text NOT NULL,
	`orgCode` text NOT NULL,
	`primaryAttr` text NOT NULL,
	`firstName` text NOT NULL,
	`lastName` text NOT NULL,
	`primaryEmail` text NOT NULL,
	`mobileNumber` text,
	`roleCode` text DEFAULT 'USER' NOT NULL,
	`accountStatus` text NOT NULL,
	`statusBeforePause` text,
	`isManager` integer DEFAULT false NOT NULL,
	`managerSuid` text,
	`hasPermissionForMobileApp` integer DEFAULT true NOT NULL,
	`hasPermissionForWindowsApp` integer DEFAULT true NOT NULL,
	`lastSeenAt` integer,
	`createdAt` integer NOT NULL,
	`externalId` text,
	`userName` text,
	`provisionedAt` integer, `emailVerifiedAt` integer, `scimAttributes` text, `userNameKey` text, `language` text,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`roleCode`) REFERENCES `roles`(`orgCode`,`roleCode`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `members_suid` ON `members` (`suid`);
CREATE UNIQUE INDEX `members_primary_attr` ON `members` (`orgCode`,`primaryAttr`) WHERE "members"."accountStatus" <> 'deleted';
CREATE UNIQUE INDEX `members_primary_email` ON `members` (`orgCode`,`primaryEmail`) WHERE "members"."accountStatus" <> 'deleted';
CREATE INDEX `members_deleted` ON `members` (`orgCode`,`primaryAttr`) WHERE "members"."accountStatus" = 'deleted';
CREATE INDEX `members_email_everywhere` ON `members` (`primaryEmail`) WHERE "members"."accountStatus" <> 'deleted';
CREATE INDEX `members_manager` ON `members` (`managerSuid`,`orgCode`);
CREATE INDEX `members_mobile` ON `members` (`mobileNumber`,`orgCode`) WHERE "members"."mobileNumber" IS NOT NULL;
CREATE INDEX `members_external_id` ON `members` (`externalId`,`orgCode`) WHERE "members"."externalId" IS NOT NULL;
CREATE INDEX `members_role` ON `members` (`orgCode`,`roleCode`);
CREATE TABLE `oidc_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`alg` text NOT NULL,
	`privateJwk` text NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `oidc_keys_organisation` ON `oidc_keys` (`orgCode`,`createdAt`);
CREATE TABLE `oidc_models` (
	`idHash` text NOT NULL,
	`model` text NOT NULL,
	`orgCode` text NOT NULL,
	`payload` text NOT NULL,
	`grantId` text,
	`uid` text,
	`clientId` text,
	`suid` text,
	`zid` text,
	`consumedAt` integer,
	`expiresAt` integer NOT NULL, `browser` text,
	PRIMARY KEY(`idHash`, `model`, `orgCode`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`clientId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `oidc_models_grant` ON `oidc_models` (`grantId`,`orgCode`) WHERE "oidc_models"."grantId" IS NOT NULL;
CREATE INDEX `oidc_models_uid` ON `oidc_models` (`uid`,`orgCode`) WHERE "oidc_models"."uid" IS NOT NULL;
CREATE INDEX `oidc_models_member` ON `oidc_models` (`suid`,`orgCode`) WHERE "oidc_models"."suid" IS NOT NULL;
CREATE INDEX `oidc_models_device` ON `oidc_models` (`zid`,`orgCode`) WHERE "oidc_models"."zid" IS NOT NULL;
CREATE INDEX `oidc_models_application` ON `oidc_models` (`orgCode`,`clientId`) WHERE "oidc_models"."clientId" IS NOT NULL;
CREATE INDEX `oidc_models_expiry` ON `oidc_models` (`expiresAt`);
CREATE TABLE `organisations` (
	`orgCode` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`name` text NOT NULL,
	`primaryAttrField` text NOT NULL,
	`primaryEmailField` text DEFAULT 'primaryEmail' NOT NULL,
	`logo` text,
	`color` text DEFAULT '#FACC15' NOT NULL,
	`title` text NOT NULL,
	`bannerText` text DEFAULT '' NOT NULL,
	`loginButtonName` text DEFAULT 'Sign in' NOT NULL,
	`copyrightText` text DEFAULT '' NOT NULL,
	`portalOidcEnabled` integer DEFAULT false NOT NULL,
	`oidcButtonLabel` text DEFAULT '' NOT NULL,
	`didEnabled` integer DEFAULT true NOT NULL,
	`webAuthnEnabled` integer DEFAULT false NOT NULL,
	`mobileAppEnabled` integer DEFAULT true NOT NULL,
	`desktopAppEnabled` integer DEFAULT true NOT NULL,
	`forceAuthnEnabled` integer DEFAULT false NOT NULL,
	`stepUpAuthEnabled` integer DEFAULT false NOT NULL,
	`appLockEnabled` integer DEFAULT false NOT NULL,
	`allowReporteeSearch` integer DEFAULT true NOT NULL,
	`sessionTimeout` integer DEFAULT 720 NOT NULL,
	`maxCookieLife` integer DEFAULT 0 NOT NULL,
	`deviceLimit` integer DEFAULT 5 NOT NULL,
	`activationLinkDelayHours` integer DEFAULT 0 NOT NULL,
	`allowedIps` text DEFAULT '[]' NOT NULL,
	`allowedEmailDomains` text DEFAULT '[]' NOT NULL,
	`createdAt` integer NOT NULL
, `discloseUnknownUsers` integer DEFAULT false NOT NULL, `logoutTogether` integer DEFAULT false NOT NULL, `mailLanguage` text DEFAULT 'en' NOT NULL);
CREATE UNIQUE INDEX `organisations_number` ON `organisations` (`number`);
CREATE TABLE `roles` (
	`orgCode` text NOT NULL,
	`roleCode` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`permissions` text NOT NULL,
	`externalId` text, `createdAt` integer, `changedAt` integer,
	PRIMARY KEY(`orgCode`, `roleCode`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`use` text NOT NULL,
	`privateJwk` text NOT NULL,
	`createdAt` integer NOT NULL
);
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`channel` text NOT NULL,
	`to` text NOT NULL,
	`template` text NOT NULL,
	`facts` text NOT NULL,
	`code` text,
	`createdAt` integer NOT NULL,
	`deliveredAt` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` integer,
	`lastError` text, `secretFor` text, `secretUntil` integer, `language` text DEFAULT 'en' NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `outbox_to` ON `outbox` (`to`,`createdAt`);
CREATE INDEX `outbox_time` ON `outbox` (`createdAt`);
CREATE INDEX `outbox_due` ON `outbox` (`nextAttemptAt`) WHERE "outbox"."nextAttemptAt" IS NOT NULL;
CREATE TABLE `passkeys` (
	`zid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`credentialId` text NOT NULL,
	`publicKey` blob NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`backedUp` integer NOT NULL, `backupEligible` integer,
	FOREIGN KEY (`zid`) REFERENCES `devices`(`zid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credentialId`);
CREATE INDEX `passkeys_org` ON `passkeys` (`orgCode`);
CREATE TABLE `login_history` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`zid` text,
	`deviceName` text NOT NULL,
	`deviceType` text,
	`appName` text NOT NULL,
	`mode` text NOT NULL,
	`ip` text NOT NULL,
	`loginStatus` text NOT NULL,
	`reason` text,
	`timestamp` integer NOT NULL, `appId` text DEFAULT '' NOT NULL, `disownedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `login_history_member` ON `login_history` (`suid`,`orgCode`,`timestamp`,`id`);
CREATE INDEX `login_history_org` ON `login_history` (`orgCode`,`timestamp`,`loginStatus`,`reason`);
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`sid` text NOT NULL,
	`createdAt` integer NOT NULL,
	`usedAt` integer,
	FOREIGN KEY (`sid`) REFERENCES `sessions`(`sid`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `refresh_tokens_session` ON `refresh_tokens` (`sid`);
CREATE TABLE `sessions` (
	`sid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`zid` text,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`revokedAt` integer, `mode` text DEFAULT '' NOT NULL, `userAgent` text DEFAULT '' NOT NULL, `ip` text DEFAULT '' NOT NULL, `lastUsedAt` integer, `externalIdentityId` text, `browser` text,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`zid`) REFERENCES `devices`(`zid`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `sessions_member` ON `sessions` (`suid`,`orgCode`);
CREATE INDEX `sessions_device` ON `sessions` (`zid`,`orgCode`);
CREATE INDEX `sessions_expiry` ON `sessions` (`expiresAt`);
CREATE TABLE `logos` (
	`orgCode` text PRIMARY KEY NOT NULL,
	`contentType` text NOT NULL,
	`bytes` blob NOT NULL,
	`etag` text NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `portal_oidc` (
	`orgCode` text PRIMARY KEY NOT NULL,
	`configurationUrl` text NOT NULL,
	`clientId` text NOT NULL,
	`clientSecret` text NOT NULL, `configuredBy` text,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `scim_credentials` (
	`orgCode` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`password` text NOT NULL,
	`createdAt` integer NOT NULL, `madeBySuid` text, `ceiling` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `scim_log` (
	`orgCode` text NOT NULL,
	`number` integer NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`userName` text NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`detail` text NOT NULL,
	PRIMARY KEY(`orgCode`, `number`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE VIRTUAL TABLE `member_search` USING fts5(
  `text`, `status`,
  content = 'member_search_texts', content_rowid = 'id', columnsize = 0, tokenize = 'trigram remove_diacritics 1'
);
CREATE TRIGGER `members_inserted` AFTER INSERT ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  SELECT RAISE(ABORT, 'The id of a member must lie in the range of the organisation')
    WHERE new.`id` >> 32 IS NOT (SELECT `number` FROM `organisations` WHERE `orgCode` = new.`orgCode`);
  INSERT INTO `member_counts` VALUES (new.`orgCode`, new.`roleCode`, new.`accountStatus`, 1)
    ON CONFLICT DO UPDATE SET `members` = `members` + 1;
  INSERT INTO `member_search` (`rowid`, `text`, `status`)
    SELECT `id`, `text`, `status` FROM `member_search_texts` WHERE `memberId` = new.`id`;
END;
CREATE TRIGGER `members_updating`
BEFORE UPDATE OF `firstName`, `lastName`, `primaryEmail`, `primaryAttr`, `roleCode`, `accountStatus` ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  UPDATE `member_counts` SET `members` = `members` - 1
    WHERE (`orgCode`, `roleCode`, `accountStatus`) = (old.`orgCode`, old.`roleCode`, old.`accountStatus`);
  INSERT INTO `member_search` (`member_search`, `rowid`, `text`, `status`)
    SELECT 'delete', `id`, `text`, `status` FROM `member_search_texts` WHERE `memberId` = old.`id`;
END;
CREATE TRIGGER `members_updated`
AFTER UPDATE OF `firstName`, `lastName`, `primaryEmail`, `primaryAttr`, `roleCode`, `accountStatus` ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  INSERT INTO `member_counts` VALUES (new.`orgCode`, new.`roleCode`, new.`accountStatus`, 1)
    ON CONFLICT DO UPDATE SET `members` = `members` + 1;
  INSERT INTO `member_search` (`rowid`, `text`, `status`)
    SELECT `id`, `text`, `status` FROM `member_search_texts` WHERE `memberId` = new.`id`;
END;
CREATE TRIGGER `members_deleting` BEFORE DELETE ON `members`
WHEN NOT EXISTS (SELECT 1 FROM `member_trigger_rests`)
BEGIN
  UPDATE `member_counts` SET `members` = `members` - 1
    WHERE (`orgCode`, `roleCode`, `accountStatus`) = (old.`orgCode`, old.`roleCode`, old.`accountStatus`);
  INSERT INTO `member_search` (`member_search`, `rowid`, `text`, `status`)
    SELECT 'delete', `id`, `text`, `status` FROM `member_search_texts` WHERE `memberId` = old.`id`;
END;
CREATE TABLE `decoy_sign_ups` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`email` text NOT NULL,
	`to` text NOT NULL,
	`hash` text NOT NULL,
	`issuedAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`wrongTries` integer DEFAULT 0 NOT NULL,
	`usedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `decoy_sign_ups_email` ON `decoy_sign_ups` (`email`,`orgCode`,`issuedAt`);
CREATE INDEX `decoy_sign_ups_to` ON `decoy_sign_ups` (`to`,`orgCode`,`issuedAt`);
CREATE INDEX `decoy_sign_ups_expiry` ON `decoy_sign_ups` (`expiresAt`);
CREATE TABLE `failure_budgets` (
	`subject` text NOT NULL,
	`kind` text NOT NULL,
	`orgCode` text NOT NULL,
	`clearAt` integer NOT NULL,
	`trustedUntil` integer,
	PRIMARY KEY(`subject`, `kind`, `orgCode`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `failure_budgets_clear` ON `failure_budgets` (`clearAt`);
CREATE TABLE `push_denials` (
	`suid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`denials` integer NOT NULL,
	`lastDeniedAt` integer NOT NULL,
	`network` text NOT NULL, `browser` text,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `push_denials_time` ON `push_denials` (`lastDeniedAt`);
CREATE TABLE `security_alerts` (
	`orgCode` text NOT NULL,
	`action` text NOT NULL,
	`mailedAt` integer NOT NULL,
	PRIMARY KEY(`orgCode`, `action`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `audit_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`actorKind` text NOT NULL,
	`actorSuid` text,
	`actorName` text NOT NULL,
	`actorMode` text NOT NULL,
	`actorSid` text,
	`ip` text NOT NULL,
	`objectType` text NOT NULL,
	`objectId` text NOT NULL,
	`objectName` text NOT NULL,
	`suid` text,
	`changes` text NOT NULL,
	`marks` text NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `audit_events_org` ON `audit_events` (`orgCode`,`id`);
CREATE TABLE `audit_retention` (
	`id` integer PRIMARY KEY NOT NULL,
	`before` integer NOT NULL
);
CREATE TABLE `external_identities` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`email` text NOT NULL,
	`linkedAt` integer NOT NULL,
	`approvedAt` integer,
	`lastUsedAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `external_identities_subject` ON `external_identities` (`subject`,`orgCode`,`issuer`);
CREATE INDEX `external_identities_member` ON `external_identities` (`suid`,`orgCode`);
CREATE TABLE `email_changes` (
	`suid` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`email` text NOT NULL,
	`requestedAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `email_changes_expiry` ON `email_changes` (`expiresAt`);
CREATE TABLE `sealed_columns` (
	`name` text PRIMARY KEY NOT NULL,
	`keyId` text NOT NULL,
	`probe` text NOT NULL,
	`scrubbed` integer DEFAULT 0 NOT NULL
);
CREATE TABLE `webhook_deliveries` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`orgCode` text NOT NULL,
	`webhookId` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`createdAt` integer NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lastAttemptAt` integer,
	`nextAttemptAt` integer,
	`responseStatus` integer,
	`responseBody` text DEFAULT '' NOT NULL,
	`durationMs` integer,
	`error` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`webhookId`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `webhook_deliveries_id` ON `webhook_deliveries` (`id`);
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhookId`,`orgCode`,`number`);
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`nextAttemptAt`) WHERE "webhook_deliveries"."nextAttemptAt" IS NOT NULL;
CREATE INDEX `webhook_deliveries_time` ON `webhook_deliveries` (`createdAt`);
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`url` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`events` text DEFAULT '[]' NOT NULL,
	`secret` text NOT NULL,
	`oldSecret` text,
	`oldSecretUntil` integer,
	`createdAt` integer NOT NULL,
	`failingSince` integer,
	`disabledAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `webhooks_organisation` ON `webhooks` (`orgCode`,`createdAt`);
CREATE INDEX `outbox_secret_for` ON `outbox` (`secretFor`) WHERE "outbox"."secretFor" IS NOT NULL;
CREATE INDEX `outbox_secret_until` ON `outbox` (`secretUntil`) WHERE "outbox"."secretUntil" IS NOT NULL;
CREATE INDEX `login_history_time` ON `login_history` (`orgCode`,`timestamp`,`id`);
CREATE INDEX `login_history_app` ON `login_history` (`appId`,`orgCode`,`timestamp`,`id`);
CREATE INDEX `login_history_ip` ON `login_history` (`ip`,`orgCode`,`timestamp`,`id`);
CREATE INDEX `login_history_failed` ON `login_history` (`orgCode`,`timestamp`,`id`) WHERE "login_history"."loginStatus" = 'Failed';
CREATE INDEX `sessions_external_identity` ON `sessions` (`externalIdentityId`,`orgCode`) WHERE "sessions"."externalIdentityId" IS NOT NULL;
CREATE VIEW `audit_search_texts` AS
SELECT
  `id`,
  `actorName` || char(10) || `objectName` || char(10) || `action` || char(10) || `ip` AS `text`,
  `marks`
FROM `audit_events`;
CREATE VIRTUAL TABLE `audit_search` USING fts5(
  `text`, `marks`,
  content = 'audit_search_texts', content_rowid = 'id', columnsize = 0, tokenize = 'trigram remove_diacritics 1'
);
CREATE TRIGGER `audit_events_inserted` AFTER INSERT ON `audit_events`
BEGIN
  INSERT INTO `audit_search` (`rowid`, `text`, `marks`)
    SELECT `id`, `text`, `marks` FROM `audit_search_texts` WHERE `id` = new.`id`;
END;
CREATE TRIGGER `audit_events_updating` BEFORE UPDATE ON `audit_events`
BEGIN
  SELECT RAISE(ABORT, 'What happened is not changed');
END;
CREATE TRIGGER `audit_events_deleting` BEFORE DELETE ON `audit_events`
BEGIN
  SELECT RAISE(ABORT, 'What happened is kept until its time is over')
    WHERE NOT EXISTS (SELECT 1 FROM `audit_retention` WHERE old.`id` < `before`);
  INSERT INTO `audit_search` (`audit_search`, `rowid`, `text`, `marks`)
    SELECT 'delete', `id`, `text`, `marks` FROM `audit_search_texts` WHERE `id` = old.`id`;
END;
CREATE TABLE `api_resources` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`identifier` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text DEFAULT '[]' NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `app_logos` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`contentType` text NOT NULL,
	`bytes` blob NOT NULL,
	`etag` text NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `group_members` (
	`orgCode` text NOT NULL,
	`groupId` text NOT NULL,
	`suid` text NOT NULL,
	PRIMARY KEY(`groupId`, `suid`, `orgCode`),
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`groupId`,`orgCode`) REFERENCES `groups`(`groupId`,`orgCode`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `groups` (
	`orgCode` text NOT NULL,
	`groupId` text NOT NULL,
	`displayName` text NOT NULL,
	`nameKey` text NOT NULL,
	`externalId` text,
	`createdAt` integer NOT NULL,
	`changedAt` integer NOT NULL,
	PRIMARY KEY(`groupId`, `orgCode`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `logout_notices` (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text NOT NULL,
	`protocol` text NOT NULL,
	`sid` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `logouts` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`suid` text NOT NULL,
	`browser` text NOT NULL,
	`begunBy` text NOT NULL,
	`goesTo` text NOT NULL,
	`participants` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL,
	`gatheredAt` integer, `otherBrowsers` text DEFAULT '[]' NOT NULL, `startedBy` text,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE "mail_texts" (
	`orgCode` text NOT NULL,
	`template` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`language` text DEFAULT 'en' NOT NULL,
	PRIMARY KEY(`orgCode`, `template`, `language`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `network_clients` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`secret` text NOT NULL,
	`method` text DEFAULT 'number' NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE "provisioned_people" (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text,
	`groupId` text,
	`remoteId` text,
	`sent` text,
	`status` text DEFAULT 'waiting' NOT NULL,
	`mark` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` integer,
	`leasedUntil` integer,
	`logNumber` integer,
	`inScope` integer DEFAULT true NOT NULL,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `provisioning_targets`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE "provisioning_log" (
	`number` integer PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text,
	`groupId` text,
	`groupName` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text NOT NULL,
	`requests` text NOT NULL,
	FOREIGN KEY (`suid`) REFERENCES `members`(`suid`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `provisioning_targets`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `provisioning_targets` (
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`url` text NOT NULL,
	`authentication` text NOT NULL,
	`username` text DEFAULT '' NOT NULL,
	`secret` text NOT NULL,
	`enabled` integer NOT NULL,
	`changesBy` text NOT NULL,
	`withoutAccess` text NOT NULL,
	`createdAt` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`pausedUntil` integer,
	`stoppedAt` integer,
	`stopReason` text DEFAULT '' NOT NULL, `sendManagers` integer DEFAULT false NOT NULL, `sendRoles` integer DEFAULT false NOT NULL, `sendAttributes` text DEFAULT '[]' NOT NULL, `sendGroups` integer DEFAULT false NOT NULL, `markedUpTo` integer, `marksAnew` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`orgCode`, `appId`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `registration_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer,
	`madeBySuid` text,
	`lastUsedAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `saml_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text NOT NULL,
	`browser` text,
	`nameId` text NOT NULL,
	`nameIdFormat` text NOT NULL,
	`createdAt` integer NOT NULL,
	`expiresAt` integer NOT NULL, `zid` text,
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `scim_schemas` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`urn` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`attributes` text NOT NULL,
	`createdAt` integer NOT NULL,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `scim_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`orgCode` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`createdAt` integer NOT NULL,
	`madeBySuid` text,
	`ceiling` text DEFAULT '[]' NOT NULL,
	`lastUsedAt` integer, `expiresAt` integer,
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `setup_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`usedAt` integer NOT NULL
);
CREATE TABLE `unix_groups` (
	`orgCode` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`orgCode`, `kind`, `id`),
	FOREIGN KEY (`orgCode`) REFERENCES `organisations`(`orgCode`) ON UPDATE no action ON DELETE no action
);
CREATE TABLE `used_applications` (
	`browser` text NOT NULL,
	`orgCode` text NOT NULL,
	`appId` text NOT NULL,
	`suid` text NOT NULL,
	`usedAt` integer NOT NULL,
	PRIMARY KEY(`browser`, `orgCode`, `appId`, `suid`),
	FOREIGN KEY (`orgCode`,`appId`) REFERENCES `applications`(`orgCode`,`appId`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `worlds` (
	`id` integer PRIMARY KEY NOT NULL,
	`randomSeed` text NOT NULL
, `keysFrom` text);
CREATE UNIQUE INDEX `api_resources_identifier` ON `api_resources` (`identifier`,`orgCode`);
CREATE INDEX `challenges_asked_for` ON `challenges` (`askedFor`,`orgCode`,`network`,`expiresAt`) WHERE "challenges"."askedFor" IS NOT NULL;
CREATE INDEX `group_members_member` ON `group_members` (`suid`,`orgCode`);
CREATE INDEX `groups_external_id` ON `groups` (`externalId`,`orgCode`) WHERE "groups"."externalId" IS NOT NULL;
CREATE UNIQUE INDEX `groups_name` ON `groups` (`orgCode`,`nameKey`);
CREATE INDEX `invitations_open` ON `invitations` (`orgCode`,`expiresAt`,`suid`,`type`) WHERE "invitations"."closedAt" IS NULL;
CREATE INDEX `logout_notices_application` ON `logout_notices` (`orgCode`,`appId`);
CREATE INDEX `logout_notices_due` ON `logout_notices` (`nextAttemptAt`);
CREATE INDEX `logouts_expiry` ON `logouts` (`expiresAt`);
CREATE INDEX `logouts_organisation` ON `logouts` (`orgCode`);
CREATE INDEX `members_first_name` ON `members` (`orgCode`,CASE WHEN "firstName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("firstName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "firstName" END COLLATE NOCASE,CASE WHEN "lastName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("lastName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "lastName" END COLLATE NOCASE);
CREATE INDEX `members_kept_addresses` ON `members` (`orgCode`) WHERE "members"."scimAttributes" ->> '$.emails' IS NOT NULL AND "members"."accountStatus" <> 'deleted';
CREATE INDEX `members_last_name` ON `members` (`orgCode`,CASE WHEN "lastName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("lastName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "lastName" END COLLATE NOCASE,CASE WHEN "firstName" GLOB '*[^ -~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("firstName", 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE "firstName" END COLLATE NOCASE);
CREATE UNIQUE INDEX `members_user_name` ON `members` (`orgCode`,`userNameKey`) WHERE "members"."userNameKey" IS NOT NULL AND "members"."accountStatus" <> 'deleted';
CREATE INDEX `oidc_models_browser` ON `oidc_models` (`browser`,`orgCode`) WHERE "oidc_models"."browser" IS NOT NULL;
CREATE INDEX `provisioned_people_due` ON `provisioned_people` (`nextAttemptAt`) WHERE "provisioned_people"."nextAttemptAt" IS NOT NULL;
CREATE UNIQUE INDEX `provisioned_people_group` ON `provisioned_people` (`groupId`,`appId`,`orgCode`) WHERE "provisioned_people"."groupId" IS NOT NULL;
CREATE UNIQUE INDEX `provisioned_people_person` ON `provisioned_people` (`suid`,`appId`,`orgCode`);
CREATE INDEX `provisioned_people_status` ON `provisioned_people` (`appId`,`orgCode`,`status`,`groupId`);
CREATE INDEX `provisioning_log_app` ON `provisioning_log` (`appId`,`orgCode`,`number`);
CREATE INDEX `provisioning_log_person` ON `provisioning_log` (`suid`);
CREATE INDEX `provisioning_log_time` ON `provisioning_log` (`at`);
CREATE UNIQUE INDEX `registration_tokens_hash` ON `registration_tokens` (`orgCode`,`hash`);
CREATE INDEX `saml_sessions_application` ON `saml_sessions` (`orgCode`,`appId`,`nameId`);
CREATE INDEX `saml_sessions_browser` ON `saml_sessions` (`browser`,`orgCode`);
CREATE INDEX `saml_sessions_device` ON `saml_sessions` (`zid`,`orgCode`);
CREATE INDEX `saml_sessions_expiry` ON `saml_sessions` (`expiresAt`);
CREATE INDEX `saml_sessions_member` ON `saml_sessions` (`suid`,`orgCode`);
CREATE UNIQUE INDEX `scim_schemas_urn` ON `scim_schemas` (`orgCode`,lower("urn"));
CREATE UNIQUE INDEX `scim_tokens_hash` ON `scim_tokens` (`orgCode`,`hash`);
CREATE INDEX `sessions_browser` ON `sessions` (`browser`,`orgCode`) WHERE "sessions"."browser" IS NOT NULL;
CREATE UNIQUE INDEX `unix_groups_number` ON `unix_groups` (`orgCode`,`number`);
CREATE INDEX `used_applications_age` ON `used_applications` (`usedAt`);
CREATE INDEX `used_applications_application` ON `used_applications` (`orgCode`,`appId`);
CREATE VIEW `member_search_texts` AS
SELECT
  `memberId`, `id`,
  CASE WHEN `text` GLOB '*[^' || char(1) || '-~]*' THEN replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`text`, 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'ø', 'o'), 'Ø', 'O'), 'ǽ', 'ae'), 'Ǽ', 'AE'), 'ǣ', 'ae'), 'Ǣ', 'AE'), 'ǿ', 'o'), 'Ǿ', 'O'), 'ł', 'l'), 'Ł', 'L'), 'đ', 'd'), 'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H') ELSE `text` END AS `text`,
  `status`
FROM (
  SELECT
    `members`.`id` AS `memberId`,
    (`field` << 56) + `members`.`id` AS `id`,
    CASE `field`
      WHEN 0 THEN char(2) || `firstName` || CASE WHEN `firstName` GLOB '*[^ -~]*' THEN char(4) ELSE '' END
      WHEN 1 THEN char(3) || `lastName` || CASE WHEN `lastName` GLOB '*[^ -~]*' THEN char(4) ELSE '' END
      WHEN 2 THEN `primaryEmail` ELSE `primaryAttr` END AS `text`,
    substr(`accountStatus`, 1, 1) || substr(`accountStatus`, 3, 1) || char(0xF0000 + ((`members`.`id` & 0xFFFFFFFF) >> 17)) AS `status`
  FROM (SELECT 0 AS `field` UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) CROSS JOIN `members`
);
INSERT INTO audit_search (audit_search, rank) VALUES ('automerge', 0);
INSERT INTO audit_search (audit_search, rank) VALUES ('crisismerge', 100);
INSERT INTO member_search (member_search, rank) VALUES ('automerge', 0);
INSERT INTO member_search (member_search, rank) VALUES ('crisismerge', 100);
INSERT INTO member_search (member_search, rank) VALUES ('pgsz', 1000);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('9cf9b7c3d8e77dade0f84c60add813011266830514e067556a5a400c65d439cf', 1795185627415);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('46a4f3f5efe1587bb71a2804bf7bc4ee8e206ae1cdcef76a8f1193c3a542117f', 1795185627910);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('75ccd19ca28bf6ee560182403d03c858b1e6677c1e85de10fbf9154559f3d539', 1795185628910);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('162544525166271206fe54d6400cfa24d85436ccf8818eda52c8fde191e42eae', 1795185629910);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('0416ccdaa2705718a12df478a69c07933162b7450cddad3dfe0de204fd4821ee', 1795348047458);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('48ac8fb9e1f9cc76e7afef61694c0cb6f963661995140f9aa6d9ceb1ecda4cfd', 1795348911458);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('fe556ce469f9ef689fbbdb8dd94c8962521473df09a94b7781af032e48c1636e', 1795349911458);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('d2d2bde744149ff0fd7a003ecd7d89369fe2824170ef81d0fe2d96ccea8fb2ce', 1796040183686);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('6d8b844ab6a0e264b752307a401f3b709b9bd305603be59337de37be942a7c14', 1796083357630);
INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('8fa02bacca74c8030d6dc2c6fa0dc4c234db0fa44a927bb1bf92894a0efa16a3', 1796108428347);
